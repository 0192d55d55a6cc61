import type { VNode } from 'preact';
import { Cell, Table } from '../../../core/ui/components/table.js';
import { Time } from '../../../core/ui/components/time.js';
import type {
  AuditChangeResponse,
  AuditEventResponse,
  AuditValueResponse,
} from '../audit-event.presenter.js';

const COLUMNS = [
  { label: 'When' },
  { label: 'Done by' },
  { label: 'What' },
  { label: 'To' },
  { label: 'Details' },
];

/** Entries of the audit log; their details open without a script. */
export function AuditTable({ events }: { events: AuditEventResponse[] }): VNode {
  return (
    <Table caption="Audit log" columns={COLUMNS}>
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
        {details.author_name ?? <span class="text-muted-foreground">The system</span>}
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
    ['entry', id],
    ['address', details.ip_address],
    ['trail of', `${event.entity_type} ${details.entity_path ?? event.entity_id ?? ''}`.trim()],
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
  if (value === null || value === '') return 'nothing';
  return Array.isArray(value) ? value.join(', ') : String(value);
}
