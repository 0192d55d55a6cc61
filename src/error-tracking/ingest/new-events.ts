import type { TransactionRows } from '../../core/sql/sql.service.js';
import type { IngestItem } from './ingest-item.js';
import { InputColumns } from './input-columns.js';
import { utcDay } from './utc-day.js';

const IDS = new InputColumns<IngestItem>([
  ['day', 'date', ({ event }) => utcDay(event.receivedAt)],
  ['project_id', 'bigint', ({ source }) => source.projectId],
  ['event_id', 'uuid', ({ event }) => event.eventId],
]);

/** In order, as everywhere: two batches with common ids never wait for each other crosswise. */
const INSERT_SQL = `
  INSERT INTO error_event_ids (day, project_id, event_id)
  SELECT n.day, n.project_id, n.event_id FROM ${IDS.source}
  WHERE NOT EXISTS (SELECT FROM error_event_ids k
    WHERE k.day = n.day - 1 AND k.project_id = n.project_id AND k.event_id = n.event_id)
  ORDER BY n.project_id, n.event_id
  ON CONFLICT DO NOTHING
  RETURNING project_id AS "projectId", replace(event_id::text, '-', '') AS "eventId"`;

interface InsertedId {
  projectId: number;
  eventId: string;
}

/** The events that did not come before, today or yesterday; of equal ones the first. */
export async function newEvents(
  rows: TransactionRows,
  items: readonly IngestItem[],
): Promise<IngestItem[]> {
  const first = new Map<string, IngestItem>();
  for (const item of items) {
    const key = keyOf({ projectId: item.source.projectId, eventId: item.event.eventId });
    if (!first.has(key)) first.set(key, item);
  }
  const inserted = await rows<InsertedId>(INSERT_SQL, IDS.values([...first.values()]));
  const fresh = new Set(inserted.map(keyOf));
  return [...first].filter(([key]) => fresh.has(key)).map(([, item]) => item);
}

function keyOf({ projectId, eventId }: InsertedId): string {
  return `${projectId} ${eventId}`;
}
