import type { TransactionRows } from '../../core/sql/sql.service.js';
import { ERROR_LEVELS } from '../error-values.js';
import type { IngestItem } from './ingest-item.js';
import { InputColumns } from './input-columns.js';
import { KnownHashes } from './known-hashes.js';
import { utcDay } from './utc-day.js';

/** Locks of projects that get new errors: far above every other lock of ours. */
const PROJECT_LOCKS = 4_300_000_000_000_000;

/** Arrays keep their order: the locks are taken in the order of the projects. */
const LOCK_SQL = 'SELECT pg_advisory_xact_lock(k) FROM unnest($1::bigint[]) AS k';

const IDS_SQL = `
  SELECT nextval(pg_get_serial_sequence('errors', 'id')) AS id FROM generate_series(1, $1::int)`;

/** An error as its first event tells of it; the event itself is counted later. */
interface NewError extends IngestItem {
  id: number;
}

const ERRORS = new InputColumns<NewError>([
  ['id', 'bigint', ({ id }) => id],
  ['project_id', 'bigint', ({ source }) => source.projectId],
  ['type', 'text', ({ event }) => event.type],
  ['value', 'text', ({ event }) => event.value],
  ['culprit', 'text', ({ event }) => event.culprit],
  ['platform', 'text', ({ event }) => event.platform],
  ['logger', 'text', ({ event }) => event.logger],
  ['level', 'smallint', ({ event }) => ERROR_LEVELS.indexOf(event.level)],
  ['is_unhandled', 'boolean', ({ event }) => event.isUnhandled],
  ['first_seen_at', 'timestamptz', ({ event }) => event.occurredAt.toISOString()],
  ['last_seen_at', 'timestamptz', ({ event }) => event.occurredAt.toISOString()],
  ['first_release', 'text', ({ event }) => event.release],
  ['last_release', 'text', ({ event }) => event.release],
  ['search_text', 'text', ({ event }) => event.searchText],
  ['sampled_day', 'date', ({ event }) => utcDay(event.receivedAt)],
]);

const INSERT_SQL = `
  INSERT INTO errors (${ERRORS.names.join(', ')}, events_count, sampled_count)
  SELECT ${ERRORS.names.map((name) => `n.${name}`).join(', ')}, 0, 0 FROM ${ERRORS.source}`;

/**
 * The events by the id of their error, which is made when there is none: under a lock of its
 * project, so that the same error never becomes two.
 */
export async function errorsOfEvents(
  rows: TransactionRows,
  items: readonly IngestItem[],
): Promise<Map<number, IngestItem[]>> {
  const hashes = new KnownHashes();
  await hashes.read(rows, items);
  const unknown = items.filter((item) => hashes.errorOf(item) === null);
  if (unknown.length > 0) await makeErrors(rows, unknown, hashes);
  const groups = new Map<number, IngestItem[]>();
  for (const item of items) {
    const errorId = hashes.errorOf(item) as number;
    hashes.add(item, errorId);
    const group = groups.get(errorId);
    if (group === undefined) groups.set(errorId, [item]);
    else group.push(item);
  }
  await hashes.write(rows);
  return groups;
}

/** Others may have made some of them until the lock was ours. */
async function makeErrors(
  rows: TransactionRows,
  items: readonly IngestItem[],
  hashes: KnownHashes,
): Promise<void> {
  const projects = [...new Set(items.map(({ source }) => source.projectId))];
  const keys = projects.map((id) => PROJECT_LOCKS + id).toSorted((one, other) => one - other);
  await rows(LOCK_SQL, [keys]);
  await hashes.read(rows, items);
  const ids = await rows<{ id: number }>(IDS_SQL, [items.length]);
  const made: NewError[] = [];
  for (const [at, item] of items.entries()) {
    if (hashes.errorOf(item) !== null) continue;
    const { id } = ids[at] as { id: number };
    hashes.add(item, id);
    made.push({ ...item, id });
  }
  if (made.length > 0) await rows(INSERT_SQL, ERRORS.values(made));
}
