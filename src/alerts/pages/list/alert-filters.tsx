import type { VNode } from 'preact';
import type { Choice } from '../../../core/ui/components/choice-fields.js';
import { FilterBar } from '../../../core/ui/components/filter-bar.js';
import { ALERT_SEVERITIES } from '../../alert-values.js';
import type { AssigneeCandidate } from '../../alerts.repository.js';
import { severityLabel } from '../alert-status.js';
import { LIST_ORDERS, type AlertsQuery } from './alerts-query.js';

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
