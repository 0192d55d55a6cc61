import type { VNode } from 'preact';
import { TextParam } from '../../../core/params/params.decorator.js';
import { filledAddress } from '../../../core/ui/addresses.js';
import type { Choice } from '../../../core/ui/components/choice-fields.js';
import { FilterBar } from '../../../core/ui/components/filter-bar.js';
import { pagingParams } from '../../../core/ui/components/list.js';
import { addressOfTerms } from '../../../core/ui/filter-terms.js';
import { ALERT_SEVERITIES, ALERT_STATUSES, type AlertSeverity } from '../../alert-values.js';
import type { AssigneeCandidate } from '../../alerts.repository.js';
import { ALERT_GROUPINGS, type AlertGrouping } from '../../sql/alert-groups.js';
import { severityLabel } from '../alert-status.js';

/** Time spans of the list's chart, as values of the parameter `activity`. */
export const ACTIVITY_SPANS = ['day', 'month'] as const;
export type ActivitySpan = (typeof ACTIVITY_SPANS)[number];

/** Tabs of the list: `open` are those that are triggered or acknowledged. */
export const ALERT_TABS = ['open', ...ALERT_STATUSES, 'all'] as const;
export type AlertTab = (typeof ALERT_TABS)[number];

/** Orders of the list by the value of `sort`, as the API names them. */
export const LIST_ORDERS = {
  started_desc: { label: 'Newest', order_by: 'started_at', sort: 'desc' },
  started_asc: { label: 'Oldest', order_by: 'started_at', sort: 'asc' },
  severity_desc: { label: 'Severity', order_by: 'severity', sort: 'desc' },
  events_desc: { label: 'Most events', order_by: 'event_count', sort: 'desc' },
  updated_desc: { label: 'Recently updated', order_by: 'updated_at', sort: 'desc' },
} as const;
type ListOrder = keyof typeof LIST_ORDERS;

const ORDER_NAMES = Object.keys(LIST_ORDERS) as ListOrder[];
const MAX_SEARCH_LENGTH = 200;

/** Query parameters of the alert list. */
export class AlertsPageDto {
  @TextParam({ values: ALERT_TABS })
  status?: AlertTab | null;

  @TextParam({ maxLength: MAX_SEARCH_LENGTH })
  search?: string | null;

  @TextParam({ values: ALERT_SEVERITIES })
  severity?: AlertSeverity | null;

  /** A username, `None` or `Any`. */
  @TextParam({ maxLength: 255 })
  assignee?: string | null;

  /** Name of an environment, or `None`. */
  @TextParam({ maxLength: 255 })
  environment?: string | null;

  /** The whole title. */
  @TextParam({ maxLength: 255 })
  title?: string | null;

  @TextParam({ values: ['true', 'false'] })
  silenced?: 'true' | 'false' | null;

  @TextParam({ values: ALERT_GROUPINGS })
  group?: AlertGrouping | null;

  @TextParam({ values: ORDER_NAMES })
  sort?: ListOrder | null;

  /** Time span of the chart. */
  @TextParam({ values: ACTIVITY_SPANS })
  activity?: ActivitySpan | null;
}

/** Filters of the request, with '' for those that are missing. */
export interface AlertsQuery {
  status: AlertTab;
  search: string;
  severity: AlertSeverity | '';
  assignee: string;
  environment: string;
  title: string;
  silenced: 'true' | 'false' | '';
  group: AlertGrouping | '';
  sort: ListOrder;
  activity: ActivitySpan;
}

/** Returns the query with the page's defaults. */
export function alertsQuery(dto: AlertsPageDto): AlertsQuery {
  return {
    status: dto.status ?? 'open',
    search: dto.search ?? '',
    severity: dto.severity ?? '',
    assignee: dto.assignee ?? '',
    environment: dto.environment ?? '',
    title: dto.title ?? '',
    silenced: dto.silenced ?? '',
    group: dto.group ?? '',
    sort: dto.sort ?? 'started_desc',
    activity: dto.activity ?? 'day',
  };
}

/** The path with the query and the page, as far as these differ from nothing. */
export function listAddress(
  path: string,
  query: AlertsQuery,
  paging: { page: number; perPage: number },
): string {
  return filledAddress(path, { ...query, ...pagingParams(paging) });
}

/** Returns the address with typed terms (`severity:high is:resolved`) as parameters; null without any. */
export function addressOfTyped(path: string, query: Record<string, unknown>): string | null {
  const statuses = ALERT_TABS.map((status) => [status, { status }] as const);
  return addressOfTerms(path, query, {
    names: ['severity', 'environment', 'assignee', 'title', 'group'],
    is: { ...Object.fromEntries(statuses), silenced: { silenced: 'true' } },
  });
}

/** Returns true if the list is filtered by more than a status. */
export function isNarrowed(query: AlertsQuery): boolean {
  const { search, severity, assignee, environment, title, silenced } = query;
  return [search, severity, assignee, environment, title, silenced].some((value) => value !== '');
}

interface AlertFiltersProps {
  projectId: number;
  path: string;
  query: AlertsQuery;
  people: AssigneeCandidate[];
  environments: string[];
}

const SEVERITIES = ALERT_SEVERITIES.map((value) => ({ value, label: severityLabel(value) }));
const ORDERS = Object.entries(LIST_ORDERS).map(([value, { label }]) => ({ value, label }));

const NO_ENVIRONMENT = { value: 'None', label: 'No environment' };
const YES_OR_NO = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
];
const GROUPINGS = [
  { value: 'title', label: 'Title' },
  { value: 'environment', label: 'Environment' },
];

const choiceOf = (value: string): Choice => ({ value, label: value });

/** Members as the options of a field. */
export function choicesOf(people: AssigneeCandidate[]): Choice[] {
  return people.map(({ username, name }) => ({ value: username, label: `${name} (@${username})` }));
}

/** Filters of the list and its chart; reloads the page. */
export function AlertFilters({
  projectId,
  path,
  query,
  people,
  environments,
}: AlertFiltersProps): VNode {
  const { status, search, severity, assignee, environment, sort, activity } = query;
  const { title, silenced, group } = query;
  const assignees = [
    { value: 'None', label: 'Unassigned' },
    { value: 'Any', label: 'Assigned' },
    ...choicesOf(people),
  ];
  const names = [...new Set([...environments, environment])];
  const places = names.filter((name) => name !== '' && name !== 'None').map(choiceOf);
  return (
    <FilterBar
      projectId={projectId}
      path={path}
      search={search}
      fields={[
        { name: 'severity', label: 'Severity', value: severity, options: SEVERITIES },
        {
          name: 'environment',
          label: 'Environment',
          value: environment,
          options: [...places, NO_ENVIRONMENT],
        },
        { name: 'assignee', label: 'Assignee', value: assignee, options: assignees },
        { name: 'silenced', label: 'Silenced', value: silenced, options: YES_OR_NO },
        { name: 'title', label: 'Title', value: title },
        { name: 'group', label: 'Group by', value: group, options: GROUPINGS },
      ]}
      sort={{ name: 'sort', options: ORDERS, value: sort }}
      kept={{ status, activity }}
    />
  );
}
