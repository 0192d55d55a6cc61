import type { AuditEventResponse } from '../audit-event.presenter.js';

const COLUMNS: readonly [name: string, value: (event: AuditEventResponse) => unknown][] = [
  ['id', ({ id }) => id],
  ['time', ({ created_at: time }) => time],
  ['actor_id', ({ author_id: id }) => id],
  ['actor', ({ details }) => details.author_name],
  ['impersonator', ({ details }) => details.impersonator_name],
  ['event', ({ event_name: name }) => name],
  ['target_type', ({ details }) => details.target_type],
  ['target_id', ({ details }) => details.target_id],
  ['target', ({ details }) => details.target_details],
  ['scope', ({ entity_type: type }) => type],
  ['scope_id', ({ entity_id: id }) => id],
  ['scope_path', ({ details }) => details.entity_path],
  ['ip_address', ({ details }) => details.ip_address],
  ['changes', ({ details }) => JSON.stringify(details.changes)],
  ['facts', ({ details }) => JSON.stringify(details.facts)],
];

/** Returns audit events as CSV (RFC 4180) with a header. */
export function auditCsv(events: readonly AuditEventResponse[]): string {
  const lines = events.map((event) => COLUMNS.map(([, value]) => cell(value(event))));
  return [COLUMNS.map(([name]) => name), ...lines].map((line) => `${line.join(',')}\r\n`).join('');
}

/** Text that spreadsheets would run as a formula gets an apostrophe in front (OWASP, CSV injection). */
function cell(value: unknown): string {
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : '';
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
