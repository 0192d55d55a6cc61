import type { VNode } from 'preact';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { SelectField } from '../../../core/ui/components/choice-fields.js';
import { Form } from '../../../core/ui/components/form.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import { ALERT_SEVERITIES } from '../../alert-values.js';
import { severityLabel } from '../alert-badges.js';
import { isNarrowed, LIST_ORDERS, type AlertsQuery } from './alerts-query.js';
import type { AssigneeCandidate } from '../../alerts.repository.js';

interface AlertFiltersProps {
  path: string;
  query: AlertsQuery;
  people: AssigneeCandidate[];
}

const SEVERITIES = [
  { value: '', label: 'Any severity' },
  ...ALERT_SEVERITIES.map((value) => ({ value, label: severityLabel(value) })),
];

const ORDERS = Object.entries(LIST_ORDERS).map(([value, { label }]) => ({ value, label }));

/** Filters of the list; reloads the page. */
export function AlertFilters({ path, query, people }: AlertFiltersProps): VNode {
  const { status, search, severity, assignee, sort, activity } = query;
  const assignees = [
    { value: '', label: 'Anybody or nobody' },
    { value: 'None', label: 'Nobody' },
    { value: 'Any', label: 'Anybody' },
    ...people.map(({ username, name }) => ({ value: username, label: `${name} (@${username})` })),
  ];
  return (
    <Form action={path} method="get" label="Filter alerts" class="filters">
      <input type="hidden" name="status" value={status} />
      <input type="hidden" name="activity" value={activity} />
      <TextField type="search" name="search" label="Search" value={search} maxLength={200} bare />
      <SelectField name="severity" label="Severity" options={SEVERITIES} value={severity} bare />
      <SelectField name="assignee" label="Assignee" options={assignees} value={assignee} bare />
      <SelectField name="sort" label="Order" options={ORDERS} value={sort} bare />
      <Button variant="outline">Filter</Button>
      {isNarrowed(query) && (
        <ButtonLink href={`${path}?status=${status}`} variant="ghost">
          Clear filters
        </ButtonLink>
      )}
    </Form>
  );
}
