import type { VNode } from 'preact';
import { Card } from '../../../core/ui/components/content.js';
import { Cell, Table } from '../../../core/ui/components/table.js';
import { Time } from '../../../core/ui/components/time.js';
import { ROLES, roleName } from '../../../identity/members/roles.js';
import type {
  AuditChangeResponse,
  AuditEventResponse,
  AuditValueResponse,
} from '../audit-event.presenter.js';

const COLUMNS = [
  { label: 'Time' },
  { label: 'Actor' },
  { label: 'Event' },
  { label: 'Target' },
  { label: 'Change' },
];

/** Entries of the audit log; their details open without a script. */
export function AuditTable({ events }: { events: AuditEventResponse[] }): VNode {
  return (
    <Card flush>
      <Table caption="Audit log" columns={COLUMNS} stacked>
        {events.map((event) => (
          <AuditRow key={event.id} event={event} />
        ))}
      </Table>
    </Card>
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
        {details.impersonator_name !== null && <small>by {details.impersonator_name}</small>}
      </Cell>
      <Cell wrap first>
        {sentenceOf(event.event_name)}
      </Cell>
      <Cell wrap>
        {details.target_details ?? `${details.target_type} ${String(details.target_id ?? '')}`}
        <small>{typeName(details.target_type)}</small>
      </Cell>
      <Cell wrap>
        <Details event={event} />
      </Cell>
    </tr>
  );
}

/** `AlertIntegration` → `Alert integration`. */
function typeName(type: string): string {
  const [first = '', ...rest] = type.split(/(?<=[a-z])(?=[A-Z])/);
  return [first.replace(/^Oauth$/, 'OAuth'), ...rest.map((word) => word.toLowerCase())].join(' ');
}

/** `oauth_application_created` → `OAuth application created`. */
function sentenceOf(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/^oauth\b/, 'OAuth');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function Details({ event: { id, details, ...event } }: { event: AuditEventResponse }): VNode {
  const facts: [string, AuditValueResponse][] = [
    ['event ID', id],
    ['IP address', details.ip_address],
    ['scope', `${event.entity_type} ${details.entity_path ?? event.entity_id ?? ''}`.trim()],
    ['target ID', details.target_id],
    ...Object.entries(details.facts),
  ];
  return (
    <details>
      <summary>{summaryOf(details.changes)}</summary>
      <dl class="facts mt-2">
        {Object.entries(details.changes).map(([name, change]) => (
          <Pair key={name} name={name}>
            <del class="text-muted-foreground">{valueOf(name, change.from)}</del>
            {' → '}
            <ins class="no-underline">{valueOf(name, change.to)}</ins>
          </Pair>
        ))}
        {facts
          .filter(([, value]) => value !== null)
          .map(([name, value]) => (
            <Pair key={name} name={name}>
              {valueOf(name, value)}
            </Pair>
          ))}
      </dl>
    </details>
  );
}

function Pair({ name, children }: { name: string; children: VNode['props']['children'] }): VNode {
  return (
    <>
      <dt>{labelOf(name)}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** Longer changes are named only. */
const MAX_SUMMARY = 70;

function summaryOf(changes: Record<string, AuditChangeResponse>): string {
  const entries = Object.entries(changes).map(([name, change]) => ({
    name: labelOf(name),
    from: valueOf(name, change.from),
    to: valueOf(name, change.to),
  }));
  if (entries.length === 0) return 'Details';
  const whole = entries.map(({ name, from, to }) => `${name}: ${from} → ${to}`).join(', ');
  if (whole.length <= MAX_SUMMARY) return whole;
  const names = entries.map(({ name }) => name);
  return names.length <= 3 ? names.join(', ') : `${names.length} values changed`;
}

const ACCESS_LEVEL = 'access_level';
const LEVELS: readonly unknown[] = Object.values(ROLES);

/** `require_two_factor` → `require two factor`, `project_id` → `project ID`. */
function labelOf(name: string): string {
  return name === ACCESS_LEVEL ? 'role' : name.replaceAll('_', ' ').replace(/\bid(s?)$/, 'ID$1');
}

function valueOf(name: string, value: AuditValueResponse): string {
  const isRole = name === ACCESS_LEVEL && LEVELS.includes(value);
  return isRole ? roleName(Number(value)) : textOf(value);
}

function textOf(value: AuditValueResponse): string {
  if (value === null || value === '') return 'none';
  return Array.isArray(value) ? value.join(', ') : String(value);
}
