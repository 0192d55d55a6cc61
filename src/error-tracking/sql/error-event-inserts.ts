import { PAYLOAD_ENCODINGS } from '../error-event.entity.js';
import { ERROR_LEVELS } from '../error-values.js';
import type { IngestItem } from '../ingest/ingest-item.js';
import { InputColumns } from '../ingest/input-columns.js';
import { utcDay } from '../ingest/utc-day.js';

/** An event with the error that it belongs to. */
export type StoredItem = IngestItem & { errorId: number };

export const EVENT_IDS = new InputColumns<IngestItem>([
  ['day', 'date', ({ event }) => utcDay(event.receivedAt)],
  ['project_id', 'bigint', ({ source }) => source.projectId],
  ['event_id', 'uuid', ({ event }) => event.eventId],
]);

/** In order, as everywhere: two batches with common ids never wait for each other crosswise. */
export const INSERT_IDS_SQL = `
  INSERT INTO error_event_ids (day, project_id, event_id)
  SELECT n.day, n.project_id, n.event_id FROM ${EVENT_IDS.source}
  WHERE NOT EXISTS (SELECT FROM error_event_ids k
    WHERE k.day = n.day - 1 AND k.project_id = n.project_id AND k.event_id = n.event_id)
  ORDER BY n.project_id, n.event_id
  ON CONFLICT DO NOTHING
  RETURNING project_id AS "projectId", replace(event_id::text, '-', '') AS "eventId"`;

export const EVENTS = new InputColumns<StoredItem>([
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
export const INSERT_EVENTS_SQL = `
  INSERT INTO error_events (${EVENTS.names.join(', ')})
  SELECT ${EVENTS.names.map((name) => `n.${name}`).join(', ')} FROM ${EVENTS.source}
  ORDER BY n.place`;
