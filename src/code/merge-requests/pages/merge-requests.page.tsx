import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Card, EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { ItemList } from '../../../core/ui/components/item-list.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import { Labels, type LabelsByName } from '../../../workspace/labels/pages/label-chips.js';
import {
  Filters,
  isFiltered,
  IssuableItem,
  keptFilters,
  StateTabs,
} from '../../../workspace/issues/pages/issuable-list.js';
import type { MergeRequestCounts } from '../merge-requests.repository.js';
import type { MergeRequestRow } from '../sql/merge-requests.js';
import { MergeRequestMarks, StateIcon } from './merge-request-frame.js';
import { type MergeRequestPageContext } from './merge-request-page-context.js';
import { LIST_ORDERS, type MergeRequestsQuery } from './merge-requests-query.js';

interface MergeRequestsPageProps {
  context: MergeRequestPageContext;
  query: MergeRequestsQuery;
  page: Page<MergeRequestRow>;
  counts: MergeRequestCounts;
  labels: LabelsByName;
  paging: { page: number; perPage: number };
}

/** The merge requests of a project. */
export function MergeRequestsPage(props: MergeRequestsPageProps): VNode {
  const { context, query, page, counts, labels, paging } = props;
  return (
    <>
      <PageHeader title="Merge requests" actions={<CreateLink context={context} />} />
      <StateTabs
        path={context.path}
        query={query}
        tabs={[
          { label: 'Open', state: 'opened', count: counts.opened },
          { label: 'Merged', state: 'merged', count: counts.merged },
          { label: 'Closed', state: 'closed', count: counts.closed },
          { label: 'All', state: 'all', count: counts.all },
        ]}
      />
      <Filters
        projectId={context.project.id}
        path={context.path}
        query={query}
        roles={['author', 'assignee', 'reviewer']}
        orders={LIST_ORDERS}
      />
      {page.items.length === 0 ? (
        <NoMergeRequests {...props} />
      ) : (
        <Card flush>
          <ItemList label="Merge requests">
            {page.items.map((row) => (
              <MergeRequestItem key={row.id} row={row} context={context} labels={labels} />
            ))}
          </ItemList>
        </Card>
      )}
      <Pagination
        page={page}
        paging={paging}
        path={context.path}
        query={{ state: query.state, ...Object.fromEntries(keptFilters(query)) }}
      />
    </>
  );
}

function CreateLink({ context }: { context: MergeRequestPageContext }): VNode | null {
  if (!context.mayCreate || context.project.emptyRepo) return null;
  return <ButtonLink href={`${context.path}/new`}>New merge request</ButtonLink>;
}

function NoMergeRequests({ context, query, counts }: MergeRequestsPageProps): VNode {
  if (counts.all > 0 || isFiltered(query)) {
    return <EmptyState title="No merge requests match these filters" />;
  }
  if (context.project.emptyRepo) {
    return (
      <EmptyState
        title="Nothing to merge yet"
        action={
          <ButtonLink href={context.code.branches} variant="outline">
            How to push
          </ButtonLink>
        }
      >
        The repository is empty. Push a branch to merge it into the default branch.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No merge requests yet" action={<CreateLink context={context} />}>
      Push a branch and open a merge request to review and merge your changes.
    </EmptyState>
  );
}

interface MergeRequestItemProps {
  row: MergeRequestRow;
  context: MergeRequestPageContext;
  labels: LabelsByName;
}

/** One merge request of a list. */
function MergeRequestItem({ row, context, labels }: MergeRequestItemProps): VNode {
  return (
    <IssuableItem
      row={row}
      href={`${context.path}/${row.iid}`}
      reference={`!${row.iid}`}
      state={<StateIcon row={row} />}
      marks={
        <>
          <MergeRequestMarks row={row} />
          <Labels names={row.labels} known={labels} list={context.path} />
        </>
      }
      facts={
        <span class="branches">
          {row.sourceBranch}
          {row.targetBranch !== context.project.defaultBranch && ` → ${row.targetBranch}`}
        </span>
      }
      reviewers={row.reviewers}
    />
  );
}
