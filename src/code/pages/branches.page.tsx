import type { VNode } from 'preact';
import type { Page } from '../../core/pagination/page.js';
import { ButtonLink } from '../../core/ui/components/button.js';
import { Badge } from '../../core/ui/components/content.js';
import { Item } from '../../core/ui/components/item-list.js';
import { Time } from '../../core/ui/components/time.js';
import type { BranchRecord } from '../../git/reading/branches.js';
import { type CodeAddresses, codeAddresses } from './addresses.js';
import { CodeFrame, type CodeView } from './code-frame.js';
import { CommitId, CommitTitle } from './commit-item.js';
import { RefList, type RefListQuery } from './ref-list.js';

interface BranchesPageProps extends CodeView {
  page: Page<BranchRecord>;
  paging: { page: number; perPage: number };
  query: RefListQuery;
}

/** The branches of a repository. */
export function BranchesPage(props: BranchesPageProps): VNode {
  const { shell, project, page, paging, query } = props;
  const addresses = codeAddresses(project);
  const { defaultBranch } = project;
  return (
    <CodeFrame shell={shell} project={project} current="branches" title="Branches">
      <RefList {...{ project, page, paging, query }} kind="branches" path={addresses.branches}>
        {page.items.map((branch) => (
          <BranchItem
            key={branch.name}
            branch={branch}
            addresses={addresses}
            defaultBranch={defaultBranch}
          />
        ))}
      </RefList>
    </CodeFrame>
  );
}

interface BranchItemProps {
  branch: BranchRecord;
  addresses: CodeAddresses;
  defaultBranch: string | null;
}

function BranchItem({ branch, addresses, defaultBranch }: BranchItemProps): VNode {
  const { name, commit } = branch;
  const isDefault = name === defaultBranch;
  const title = (
    <>
      <a class="prose-link font-mono break-all" href={addresses.tree(name)}>
        {name}
      </a>
      {isDefault && <Badge tone="info">Default</Badge>}
    </>
  );
  const actions = !isDefault && defaultBranch !== null && (
    <ButtonLink href={addresses.comparison(defaultBranch, name)} variant="outline" size="small">
      Compare
    </ButtonLink>
  );
  return (
    <Item title={title} actions={actions === false ? undefined : actions}>
      <span class="flex flex-wrap gap-x-3">
        <CommitId id={commit.id} addresses={addresses} />
        <CommitTitle commit={commit} addresses={addresses} />
        <Time value={commit.committedDate} />
      </span>
    </Item>
  );
}
