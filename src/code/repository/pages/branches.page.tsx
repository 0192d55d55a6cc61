import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Badge } from '../../../core/ui/components/content.js';
import { Item } from '../../../core/ui/components/item-list.js';
import { Time } from '../../../core/ui/components/time.js';
import type { BranchRecord } from '../../../git/reading/branches.js';
import { type CodeAddresses, codeAddresses } from './addresses.js';
import { CodeFrame, type CodeView } from './code-frame.js';
import { CommitId, CommitTitle } from './commit-item.js';
import { mayProposeHere, mayPushHere } from './ref-rights.js';
import { RefList, type RefListQuery } from './ref-list.js';

interface BranchesPageProps extends CodeView {
  page: Page<BranchRecord>;
  paging: { page: number; perPage: number };
  query: RefListQuery;
}

/** The branches of a repository. */
export function BranchesPage(props: BranchesPageProps): VNode {
  const { pageContext, project, page, paging, query } = props;
  const addresses = codeAddresses(project);
  const mayPush = mayPushHere({ pageContext, project });
  const deletion = mayPush
    ? { action: `${addresses.branches}/delete`, csrfToken: pageContext.csrfToken }
    : null;
  return (
    <CodeFrame
      pageContext={pageContext}
      project={project}
      current="branches"
      title="Branches"
      actions={mayPush && <ButtonLink href={`${addresses.branches}/new`}>New branch</ButtonLink>}
    >
      <RefList {...{ project, page, paging, query }} kind="branches" path={addresses.branches}>
        {page.items.map((branch) => (
          <BranchItem
            key={branch.name}
            branch={branch}
            addresses={addresses}
            defaultBranch={project.defaultBranch}
            deletion={deletion}
            mayPropose={mayProposeHere({ pageContext, project })}
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
  /** Form to delete a branch; null without permission. */
  deletion: { action: string; csrfToken: string } | null;
  /** Offers a merge request for the branch. */
  mayPropose: boolean;
}

function BranchItem(props: BranchItemProps): VNode {
  const { branch, addresses, defaultBranch } = props;
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
  return (
    <Item title={title} actions={isDefault ? undefined : <Actions {...props} />}>
      <span class="flex flex-wrap gap-x-3">
        <CommitId id={commit.id} addresses={addresses} />
        <CommitTitle commit={commit} addresses={addresses} />
        <Time value={commit.committedDate} />
      </span>
    </Item>
  );
}

function Actions(props: BranchItemProps): VNode {
  const { branch, addresses, defaultBranch, deletion, mayPropose } = props;
  const { name } = branch;
  return (
    <>
      {mayPropose && (
        <ButtonLink href={addresses.newMergeRequest(name)} variant="outline" size="small">
          New merge request
        </ButtonLink>
      )}
      {defaultBranch !== null && (
        <ButtonLink href={addresses.comparison(defaultBranch, name)} variant="outline" size="small">
          Compare
        </ButtonLink>
      )}
      {deletion !== null && (
        <ConfirmButton
          label="Delete"
          question={`The branch ${name} will be gone, and with it every commit that is nowhere else.`}
          confirm="Delete branch"
          action={deletion.action}
          csrfToken={deletion.csrfToken}
          fields={{ branch: name }}
          variant="outline"
          size="small"
        />
      )}
    </>
  );
}
