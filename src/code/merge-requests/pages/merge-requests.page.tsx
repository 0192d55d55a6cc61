import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { counted } from '../../../core/ui/amounts.js';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { SelectField } from '../../../core/ui/components/choice-fields.js';
import { Card, EmptyState } from '../../../core/ui/components/content.js';
import { Form } from '../../../core/ui/components/form.js';
import { Item, ItemList } from '../../../core/ui/components/item-list.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import { Time } from '../../../core/ui/components/time.js';
import { Labels } from '../../../workspace/issues/pages/issue-badges.js';
import type { UserBasics } from '../../../identity/users/user.presenter.js';
import type { MergeRequestCounts } from '../merge-requests.repository.js';
import type { MergeRequestRow } from '../sql/merge-request-columns.js';
import { MergeRequestMarks, StateBadge } from './merge-request-frame.js';
import { type MergeRequestPageContext, ProjectLayout } from './merge-request-page-context.js';
import {
  isFiltered,
  keptFilters,
  type MergeRequestsQuery,
  ORDER_CHOICES,
} from './merge-requests-query.js';

interface MergeRequestsPageProps {
  place: MergeRequestPageContext;
  query: MergeRequestsQuery;
  page: Page<MergeRequestRow>;
  counts: MergeRequestCounts;
  paging: { page: number; perPage: number };
}

/** The merge requests of a project. */
export function MergeRequestsPage(props: MergeRequestsPageProps): VNode {
  const { place, query, page, paging } = props;
  return (
    <ProjectLayout place={place} title="Merge requests" actions={<CreateLink place={place} />}>
      <StateTabs {...props} />
      <Filters query={query} path={place.path} />
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
    </ProjectLayout>
  );
}

function CreateLink({ place }: { place: MergeRequestPageContext }): VNode | null {
  if (!place.mayCreate || place.project.emptyRepo) return null;
  return <ButtonLink href={`${place.path}/new`}>New merge request</ButtonLink>;
}

function StateTabs({ place, query, counts }: MergeRequestsPageProps): VNode {
  const address = (state: string): string => {
    const params = keptFilters(query);
    params.set('state', state);
    return `${place.path}?${params.toString()}`;
  };
  const items = [
    { label: 'Open', href: address('opened'), count: counts.opened },
    { label: 'Merged', href: address('merged'), count: counts.merged },
    { label: 'Closed', href: address('closed'), count: counts.closed },
    { label: 'All', href: address('all'), count: counts.all },
  ];
  return (
    <Tabs label="State" items={items} current={address(query.state ?? 'opened')} variant="pills" />
  );
}

const PEOPLE = ['author', 'assignee', 'reviewer'] as const;

function Filters({ query, path }: { query: MergeRequestsQuery; path: string }): VNode {
  return (
    <Form action={path} method="get" label="Filters" class="filters">
      <input type="hidden" name="state" value={query.state ?? 'opened'} />
      <TextField type="search" name="search" label="Search" value={query.search} bare />
      <TextField name="label" label="Label" value={query.label} bare />
      <TextField
        name="milestone"
        label="Milestone"
        value={query.milestone}
        placeholder="Title, none or any"
        bare
      />
      {PEOPLE.map((role) => (
        <TextField
          key={role}
          name={role}
          label={role.charAt(0).toUpperCase() + role.slice(1)}
          value={query[role]}
          placeholder={role === 'author' ? 'User name' : 'User name, none or any'}
          bare
        />
      ))}
      <SelectField name="order" label="Order" options={ORDER_CHOICES} value={query.order} bare />
      <Button variant="outline">Apply</Button>
    </Form>
  );
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
