import type { VNode } from 'preact';
import { AUDITED_ENTITIES } from '../../../core/audit/audit.service.js';
import type { Page } from '../../../core/pagination/page.js';
import { Button, ButtonLink } from '../../../core/ui/components/button.js';
import { SelectField } from '../../../core/ui/components/choice-fields.js';
import { EmptyState, PageHeader } from '../../../core/ui/components/content.js';
import { FormErrors } from '../../../core/ui/components/form-errors.js';
import { Pagination } from '../../../core/ui/components/pagination.js';
import { TextField } from '../../../core/ui/components/text-field.js';
import { given } from '../../../core/ui/form-input.decorator.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import type {
  AuditEventResponse,
  AuditChangeResponse,
  AuditValueResponse,
} from '../audit-event.presenter.js';
import { Cell, Table } from '../../../core/ui/components/table.js';
import { Time } from '../../../core/ui/components/time.js';
import { FilterForm } from '../../../core/ui/components/filter-form.js';

const PATH = '/admin/audit_logs';
const FILTERS = ['created_after', 'created_before', 'entity_type', 'entity_id', 'author'] as const;

const ENTITY_TYPES = [
  { value: '', label: 'All' },
  ...AUDITED_ENTITIES.map((type) => ({
    value: type,
    label: type === 'Instance' ? 'Instance' : `${type}s`,
  })),
];

interface AuditPageProps {
  events: Page<AuditEventResponse>;
  /** The filters as sent. */
  query: Record<string, unknown>;
  paging: { page: number; perPage: number };
  errors: FormProblems | null;
}

/** Audit log: actor, event, time and IP address. */
export function AuditPage({ events, query, paging, errors }: AuditPageProps): VNode {
  const values = Object.fromEntries(FILTERS.map((name) => [name, given(query, name)]));
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Security-relevant changes by actor, time and IP address. Entries are immutable."
      />
      <FormErrors errors={errors} />
      <Filters values={values} errors={errors} />
      {events.items.length === 0 ? (
        <EmptyState title="No matching events">Try other filters.</EmptyState>
      ) : (
        <AuditTable events={events.items} />
      )}
      <Pagination page={events} paging={paging} path={PATH} query={values} />
    </>
  );
}

interface FiltersProps {
  values: Record<string, string>;
  errors: FormProblems | null;
}

function Filters({ values, errors }: FiltersProps): VNode {
  const field = (name: (typeof FILTERS)[number]) => ({
    name,
    value: values[name],
    errors: errors?.fields[name],
    bare: true,
  });
  return (
    <FilterForm action={PATH} label="Filter the audit log">
      <TextField label="From (UTC)" type="date" {...field('created_after')} />
      <TextField label="Until (UTC)" type="date" {...field('created_before')} />
      <TextField label="Actor (username)" {...field('author')} autocomplete="off" />
      <SelectField label="Scope" options={ENTITY_TYPES} {...field('entity_type')} />
      <TextField label="ID of user, group or project" type="number" {...field('entity_id')} />
      <div class="flex gap-2">
        <Button variant="outline">Filter</Button>
        <ButtonLink href={PATH} variant="ghost">
          Clear
        </ButtonLink>
      </div>
    </FilterForm>
  );
}

const COLUMNS = [
  { label: 'Time' },
  { label: 'Actor' },
  { label: 'Event' },
  { label: 'Target' },
  { label: 'Details' },
];

/** Entries of the audit log; their details open without a script. */
function AuditTable({ events }: { events: AuditEventResponse[] }): VNode {
  return (
    <Table caption="Audit log" columns={COLUMNS} stacked>
      {events.map((event) => (
        <AuditRow key={event.id} event={event} />
      ))}
    </Table>
  );
}

function AuditRow({ event }: { event: AuditEventResponse }): VNode {
  const { details } = event;
  return (
    <tr>
      <Cell>
        <Time value={event.created_at} />
      </Cell>
      <Cell wrap>
        {details.author_name ?? <span class="text-muted-foreground">System</span>}
        {details.impersonator_name !== null && (
          <span class="text-muted-foreground block">by {details.impersonator_name}</span>
        )}
      </Cell>
      <Cell wrap>{sentenceOf(event.event_name)}</Cell>
      <Cell wrap>
        {details.target_details ?? `${details.target_type} ${String(details.target_id ?? '')}`}
        <span class="text-muted-foreground block">{details.target_type}</span>
      </Cell>
      <Cell wrap>
        <Details event={event} />
      </Cell>
    </tr>
  );
}

/** `user_blocked` → `User blocked`. */
function sentenceOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function Details({ event: { id, details, ...event } }: { event: AuditEventResponse }): VNode {
  const facts: [string, AuditValueResponse][] = [
    ['event id', id],
    ['IP address', details.ip_address],
    ['scope', `${event.entity_type} ${details.entity_path ?? event.entity_id ?? ''}`.trim()],
    ['target id', details.target_id],
    ...Object.entries(details.facts),
  ];
  return (
    <details>
      <summary>{summaryOf(details.changes)}</summary>
      <dl class="facts mt-2">
        {Object.entries(details.changes).map(([name, change]) => (
          <Pair key={name} name={name}>
            <del class="text-muted-foreground">{textOf(change.from)}</del>
            {' → '}
            <ins class="no-underline">{textOf(change.to)}</ins>
          </Pair>
        ))}
        {facts
          .filter(([, value]) => value !== null)
          .map(([name, value]) => (
            <Pair key={name} name={name}>
              {textOf(value)}
            </Pair>
          ))}
      </dl>
    </details>
  );
}

function Pair({ name, children }: { name: string; children: VNode['props']['children'] }): VNode {
  return (
    <>
      <dt>{name.replaceAll('_', ' ')}</dt>
      <dd>{children}</dd>
    </>
  );
}

function summaryOf(changes: Record<string, AuditChangeResponse>): string {
  const names = Object.keys(changes).map((name) => name.replaceAll('_', ' '));
  if (names.length === 0) return 'Show';
  return names.length <= 3 ? names.join(', ') : `${names.length} values changed`;
}

function textOf(value: AuditValueResponse): string {
  if (value === null || value === '') return 'none';
  return Array.isArray(value) ? value.join(', ') : String(value);
}
