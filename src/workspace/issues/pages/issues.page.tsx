import type { VNode } from 'preact';
import type { Page } from '../../../core/pagination/page.js';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { SelectField } from '../../../core/ui/components/choice-fields.js';
import { Card, EmptyState } from '../../../core/ui/components/content.js';
import { Form } from '../../../core/ui/components/form.js';
import { ItemList } from '../../../core/ui/components/item-list.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import { Tabs } from '../../../core/ui/components/tabs.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import type { IssueRow } from '../sql/issue-columns.js';
import type { IssueType } from '../issue.entity.js';
import type { IssueCounts } from '../issues.repository.js';
import { IssueItem } from './issue-item.js';
import { ProjectLayout, type IssuePageContext } from './issue-page-context.js';
import { isFiltered, keptFilters, ORDER_CHOICES, type IssuesQuery } from './issues-query.js';

interface IssuesPageProps {
  place: IssuePageContext;
  /** Issues of every type, or incidents alone. */
  type: IssueType;
  query: IssuesQuery;
  page: Page<IssueRow>;
  counts: IssueCounts;
  paging: { page: number; perPage: number };
}

/** The issues of a project, or its incidents. */
export function IssuesPage(props: IssuesPageProps): VNode {
  const { place, type, query, page, paging } = props;
  const path = type === 'incident' ? place.incidents : place.issues;
  return (
    <ProjectLayout
      place={place}
      type={type}
      title={type === 'incident' ? 'Incidents' : 'Issues'}
      actions={<CreateLink place={place} type={type} />}
    >
      <StateTabs {...props} path={path} />
      <Filters query={query} path={path} />
      {page.items.length === 0 ? (
        <NoIssues {...props} />
      ) : (
        <Card flush>
          <ItemList label={type === 'incident' ? 'Incidents' : 'Issues'}>
            {page.items.map((issue) => (
              <IssueItem key={issue.id} issue={issue} place={place} list={path} />
            ))}
          </ItemList>
        </Card>
      )}
      <Pagination
        page={page}
        paging={paging}
        path={path}
        query={{ state: query.state, ...Object.fromEntries(keptFilters(query)) }}
      />
    </ProjectLayout>
  );
}

function CreateLink({ place, type }: Pick<IssuesPageProps, 'place' | 'type'>): VNode | null {
  if (!place.mayCreate || (type === 'incident' && !place.mayReport)) return null;
  const isIncident = type === 'incident';
  return (
    <ButtonLink href={`${place.issues}/new${isIncident ? '?type=incident' : ''}`}>
      {isIncident ? 'New incident' : 'New issue'}
    </ButtonLink>
  );
}

function StateTabs({ query, counts, path }: IssuesPageProps & { path: string }): VNode {
  const address = (state: string): string => {
    const params = keptFilters(query);
    params.set('state', state);
    return `${path}?${params.toString()}`;
  };
  const items = [
    { label: 'Open', href: address('opened'), count: counts.opened },
    { label: 'Closed', href: address('closed'), count: counts.closed },
    { label: 'All', href: address('all'), count: counts.all },
  ];
  return (
    <Tabs label="State" items={items} current={address(query.state ?? 'opened')} variant="pills" />
  );
}

function Filters({ query, path }: { query: IssuesQuery; path: string }): VNode {
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
      <TextField
        name="assignee"
        label="Assignee"
        value={query.assignee}
        placeholder="User name, none or any"
        bare
      />
      <SelectField name="order" label="Order" options={ORDER_CHOICES} value={query.order} bare />
      <Button variant="outline">Apply</Button>
    </Form>
  );
}

function NoIssues({ place, type, query, counts }: IssuesPageProps): VNode {
  const things = type === 'incident' ? 'incidents' : 'issues';
  if (counts.all > 0 || isFiltered(query)) {
    return <EmptyState title={`No ${things} here`}>Nothing matches these filters.</EmptyState>;
  }
  return (
    <EmptyState title={`No ${things} yet`} action={<CreateLink place={place} type={type} />}>
      {type === 'incident'
        ? 'An incident says what is broken and what is done about it. Alerts can open them.'
        : 'An issue is something to be done, or to be talked about.'}
    </EmptyState>
  );
}
