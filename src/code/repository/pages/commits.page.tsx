import type { VNode } from 'preact';
import { EmptyState } from '../../../core/ui/components/content.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import type { Slice } from '../../../core/pagination/page.js';
import type { CommitRecord } from '../../../git/reading/commits.js';
import { codeAddresses } from './addresses.js';
import { CodeFrame, type CodeView } from './code-frame.js';
import type { Spot } from './code-reading.service.js';
import { CommitList, type CommitStates } from './commit-list.js';
import { PathSteps } from './path-steps.js';
import type { RefChoices } from './ref-choices.js';
import { RefSwitcher } from './ref-switcher.js';

interface CommitsPageProps extends CodeView {
  spot: Spot;
  commits: Slice<CommitRecord>;
  choices: RefChoices;
  states: CommitStates;
  paging: { page: number; perPage: number };
}

/** The history of a branch, or of one file or folder on it. */
export function CommitsPage(props: CommitsPageProps): VNode {
  const { pageContext, project, spot, commits, choices, states, paging } = props;
  const addresses = codeAddresses(project);
  const { ref, path } = spot;
  const switcher = (
    <RefSwitcher
      action={addresses.switcher}
      choices={choices}
      current={ref}
      destination="commits"
      path={path}
    />
  );
  return (
    <CodeFrame
      pageContext={pageContext}
      project={project}
      current="commits"
      title={path === '' ? 'Commits' : 'History'}
      description={path === '' ? undefined : <PathSteps {...{ project, spot, addresses }} />}
      actions={switcher}
    >
      {commits.items.length === 0 ? (
        <EmptyState title="No commits here" />
      ) : (
        <CommitList commits={commits.items} states={states} addresses={addresses} />
      )}
      <Pagination
        page={{ hasNext: commits.hasNext, total: null }}
        paging={paging}
        path={addresses.commits(ref, path)}
      />
    </CodeFrame>
  );
}
