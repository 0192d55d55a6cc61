import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { counted } from '../../../core/ui/amounts.js';
import { ButtonLink } from '../../../core/ui/components/button.js';
import { Card, EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { Item, ItemList } from '../../../core/ui/components/item-list.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import { Time } from '../../../core/ui/components/time.js';
import { Labels } from '../../../workspace/issues/pages/issue-badges.js';
import {
  Filters,
  isFiltered,
  keptFilters,
  StateTabs,
} from '../../../workspace/issues/pages/issuable-list.js';
import type { UserBasics } from '../../../identity/users/user.presenter.js';
import type { MergeRequestCounts } from '../merge-requests.repository.js';
import type { MergeRequestRow } from '../sql/merge-requests.js';
import {
  MergeRequestMarks,
  type MergeRequestPageContext,
  StateBadge,
} from './merge-request-frame.js';
import { LIST_ORDERS, type MergeRequestsQuery } from './merge-requests-query.js';

interface MergeRequestsPageProps {
  place: MergeRequestPageContext;
  query: MergeRequestsQuery;
  page: Page<MergeRequestRow>;
  counts: MergeRequestCounts;
  paging: { page: number; perPage: number };
}

/** The merge requests of a project. */
export function MergeRequestsPage(props: MergeRequestsPageProps): VNode {
  const { place, query, page, counts, paging } = props;
  return (
    <>
      <PageHeader title="Merge requests" actions={<CreateLink place={place} />} />
      <StateTabs
        path={place.path}
        query={query}
        tabs={[
          { label: 'Open', state: 'opened', count: counts.opened },
          { label: 'Merged', state: 'merged', count: counts.merged },
          { label: 'Closed', state: 'closed', count: counts.closed },
          { label: 'All', state: 'all', count: counts.all },
        ]}
      />
      <Filters
        path={place.path}
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
              <MergeRequestItem key={row.id} row={row} place={place} />
            ))}
          </ItemList>
        </Card>
      )}
      <Pagination
        page={page}
        paging={paging}
        path={place.path}
        query={{ state: query.state, ...Object.fromEntries(keptFilters(query)) }}
      />
    </>
  );
}

function CreateLink({ place }: { place: MergeRequestPageContext }): VNode | null {
  if (!place.mayCreate || place.project.emptyRepo) return null;
  return <ButtonLink href={`${place.path}/new`}>New merge request</ButtonLink>;
}

function NoMergeRequests({ place, query, counts }: MergeRequestsPageProps): VNode {
  if (counts.all > 0 || isFiltered(query)) {
    return <EmptyState title="No merge requests here">Nothing matches these filters.</EmptyState>;
  }
  if (place.project.emptyRepo) {
    return (
      <EmptyState
        title="Nothing to merge yet"
        action={
          <ButtonLink href={place.code.branches} variant="outline">
            How to push
          </ButtonLink>
        }
      >
        The repository is empty. Push two branches, then one can be merged into the other.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No merge requests yet" action={<CreateLink place={place} />}>
      A merge request proposes the commits of one branch for another: push a branch, open a merge
      request for it, talk about it, merge it.
    </EmptyState>
  );
}

interface MergeRequestItemProps {
  row: MergeRequestRow;
  place: MergeRequestPageContext;
}

/** One merge request of a list. */
function MergeRequestItem({ row, place }: MergeRequestItemProps): VNode {
  const title = (
    <>
      <a class="prose-link wrap-anywhere" href={`${place.path}/${row.iid}`}>
        {row.title}
      </a>
      <StateBadge state={row.state} />
      <MergeRequestMarks row={row} />
      <Labels labels={row.labels} list={place.path} />
    </>
  );
  return (
    <Item title={title}>
      {`!${row.iid} · opened `}
      <Time value={row.createdAt} />
      {' by '}
      <a class="prose-link" href={`/${row.author.username}`}>
        {row.author.name}
      </a>
      {' · '}
      <span class="font-mono text-[0.8125rem] break-all">
        {`${row.sourceBranch} → ${row.targetBranch}`}
      </span>
      {row.milestone !== null && ` · milestone ${row.milestone.title}`}
      {row.assignees.length > 0 && ` · assigned to ${namesOf(row.assignees)}`}
      {row.reviewers.length > 0 && ` · to be reviewed by ${namesOf(row.reviewers)}`}
      {row.userNotesCount > 0 && ` · ${counted(row.userNotesCount, 'comment')}`}
    </Item>
  );
}

function namesOf(users: UserBasics[]): string {
  return new Intl.ListFormat('en').format(users.map(({ name }) => name));
}
