import type { TransactionRows } from '../../core/sql/sql.service.js';
import { PAYLOAD_ENCODINGS } from '../error-event.entity.js';
import { ERROR_LEVELS } from '../error-values.js';
import type { ErrorGroup } from './error-group.js';
import type { IngestItem } from './ingest-item.js';
import { InputColumns } from './input-columns.js';
import { utcDay } from './utc-day.js';

type StoredItem = IngestItem & { errorId: number };

const EVENTS = new InputColumns<StoredItem>([
  ['expires_on', 'date', ({ source, event }) => utcDay(event.receivedAt, source.retentionDays)],
  ['project_id', 'bigint', ({ source }) => source.projectId],
  ['error_id', 'bigint', ({ errorId }) => errorId],
  ['event_id', 'uuid', ({ event }) => event.eventId],
  ['received_at', 'timestamptz', ({ event }) => event.receivedAt.toISOString()],
  ['occurred_at', 'timestamptz', ({ event }) => event.occurredAt.toISOString()],
  ['level', 'smallint', ({ event }) => ERROR_LEVELS.indexOf(event.level)],
  ['title', 'text', ({ event }) => event.title],
  ['environment', 'text', ({ event }) => event.environment],
  ['release', 'text', ({ event }) => event.release],
  ['user_label', 'text', ({ event }) => event.userLabel],
  ['client_address', 'text', ({ event }) => event.clientAddress],
  ['payload', 'bytea', ({ event }) => event.payload.bytes],
  [
    'payload_encoding',
    'smallint',
    ({ event }) => PAYLOAD_ENCODINGS.indexOf(event.payload.encoding),
  ],
  ['is_envelope', 'boolean', ({ event }) => event.payload.isEnvelope],
]);

/** Numbered in the order in which the events of an error came. */
const INSERT_SQL = `
  INSERT INTO error_events (${EVENTS.names.join(', ')})
  SELECT ${EVENTS.names.map((name) => `n.${name}`).join(', ')} FROM ${EVENTS.source}
  ORDER BY n.place`;

/** Stores what was chosen of the events. */
export async function storeEvents(
  rows: TransactionRows,
  groups: readonly ErrorGroup[],
): Promise<void> {
  const items = groups.flatMap(({ error, stored }) =>
    stored.map((item) => ({ ...item, errorId: error.id })),
  );
  if (items.length > 0) await rows(INSERT_SQL, EVENTS.values(items));
}
