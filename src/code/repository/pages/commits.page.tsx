import type { VNode } from 'preact';
import type { Slice } from '../../../core/pagination/page.js';
import { EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { Pagination } from '../../../core/ui/components/list.js';
import type { CommitRecord } from '../../../git/reading/commits.js';
import { codeAddresses, type CodeView, PathSteps } from './code-frame.js';
import type { Spot } from '../project-repository.service.js';
import { CommitList, type CommitStates } from './commit-list.js';
import { type RefChoices, RefSwitcher } from './ref-switcher.js';

interface CommitsPageProps extends CodeView {
  spot: Spot;
  commits: Slice<CommitRecord>;
  choices: RefChoices;
  states: CommitStates;
  paging: { page: number; perPage: number };
}

/** The history of a branch, or of one file or folder on it. */
export function CommitsPage(props: CommitsPageProps): VNode {
  const { project, spot, commits, choices, states, paging } = props;
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
    <>
      <PageHeader
        title={path === '' ? 'Commits' : 'History'}
        meta={path === '' ? undefined : <PathSteps {...{ project, spot, addresses }} />}
        actions={switcher}
      />
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
    </>
  );
}
