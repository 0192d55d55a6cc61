import { ALL_MOVE_KINDS, type MoveKind, type MoveKindDescription } from '../move-kinds.js';

const OPEN_STATES = `('initial', 'scheduled', 'started', 'replicated')`;

function ofAllKinds(select: (table: string, kind: MoveKind) => string): string {
  return ALL_MOVE_KINDS.map(({ table, kind }) => select(table, kind)).join(' UNION ALL ');
}

/** Moves since $1 or still open, over all kinds. */
const COUNTS = ALL_MOVE_KINDS.map(
  ({ table }) => `SELECT m.state FROM ${table} m
    WHERE m.state IN ('initial', 'scheduled', 'started', 'replicated') OR m.finished_at >= $1`,
).join(' UNION ALL ');

const UNSCHEDULED = ALL_MOVE_KINDS.map(
  ({ kind, containerTable, isAlive }) => `SELECT c.id FROM ${containerTable} c
    WHERE ${isAlive} AND NOT c.repository_read_only AND EXISTS (SELECT 1 FROM storage_move_batches b
      WHERE b.finished_at IS NULL AND b.kind = '${kind}'
        AND b.source_storage_name = c.repository_storage AND c.id > b.cursor_id)`,
).join(' UNION ALL ');

/** $1 = since when. One statement: two would both miss a container that becomes a move between them. */
export const PROGRESS_SQL = `
  SELECT count(*) FILTER (WHERE state IN ('initial', 'scheduled'))::int AS waiting,
              count(*) FILTER (WHERE state IN ('started', 'replicated'))::int AS running,
              count(*) FILTER (WHERE state = 'finished')::int AS finished,
              count(*) FILTER (WHERE state IN ('failed', 'cleanup failed'))::int AS failed,
              (SELECT count(*)::int FROM (${UNSCHEDULED}) containers) AS unscheduled
       FROM (${COUNTS}) moves`;

export const POSITIONS_SQL = `
  SELECT id, position::int FROM (
    SELECT kind, id, row_number() OVER (ORDER BY created_at, id) AS position
    FROM (${ofAllKinds(
      (table, kind) =>
        `SELECT '${kind}' AS kind, id, created_at FROM ${table} WHERE state = 'scheduled'`,
    )}) waiting
  ) placed WHERE kind = $1 AND id = ANY ($2::bigint[])`;

export const OPEN_SQL = `
  SELECT count(*) FILTER (WHERE state IN ('initial', 'scheduled'))::int AS waiting,
         count(*) FILTER (WHERE state IN ('started', 'replicated'))::int AS running
  FROM (${ofAllKinds((table) => `SELECT state FROM ${table} WHERE state IN ${OPEN_STATES}`)}) moves`;

const UNREACHED = ALL_MOVE_KINDS.map(
  ({ kind, containerTable, isAlive }) => `WHEN '${kind}' THEN (
    SELECT count(*)::int FROM ${containerTable} c WHERE ${isAlive}
      AND c.repository_storage = b.source_storage_name AND c.id > b.cursor_id)`,
).join(' ');

/** Moves of a batch are younger than it: an index finds them by their age. */
export const BATCHES_SQL = `
  WITH batches AS (SELECT * FROM storage_move_batches ORDER BY id DESC LIMIT $1)
  SELECT b.id, b.kind, b.source_storage_name AS source, b.destination_storage_name AS destination,
         b.scheduled_count AS scheduled, b.skipped_count AS skipped, b.created_at AS "createdAt",
         b.finished_at AS "finishedAt", coalesce(m.moving, 0) AS moving,
         extract(epoch FROM now() - b.created_at)::float8 AS age,
         CASE WHEN b.finished_at IS NULL THEN CASE b.kind ${UNREACHED} END ELSE 0 END AS unscheduled,
         coalesce(m.finished, 0) AS finished, coalesce(m.failed, 0) AS failed
  FROM batches b LEFT JOIN (
    SELECT batch_id, count(*) FILTER (WHERE state = 'finished')::int AS finished,
           count(*) FILTER (WHERE state IN ${OPEN_STATES})::int AS moving,
           count(*) FILTER (WHERE state IN ('failed', 'cleanup failed'))::int AS failed
    FROM (${ofAllKinds(
      (table) => `SELECT batch_id, state FROM ${table}
        WHERE created_at >= (SELECT min(created_at) FROM batches) AND batch_id IS NOT NULL`,
    )}) moves GROUP BY batch_id
  ) m ON m.batch_id = b.id
  ORDER BY b.id DESC`;

/** Misses moves that waited longer than a month: an index finds moves by their age. */
export const DAYS_SQL = `
  SELECT to_char(d.day, 'YYYY-MM-DD') AS day,
         count(*) FILTER (WHERE m.state = 'finished')::int AS finished,
         count(*) FILTER (WHERE m.state IN ('failed', 'cleanup failed'))::int AS failed,
         count(m.state)::int AS counted
  FROM generate_series((now() AT TIME ZONE 'UTC')::date - ($1::int - 1),
                       (now() AT TIME ZONE 'UTC')::date, interval '1 day') AS d(day)
  LEFT JOIN (${ofAllKinds(
    (table) => `SELECT state, (finished_at AT TIME ZONE 'UTC')::date AS day FROM ${table}
      WHERE created_at >= now() - interval '45 days' AND finished_at IS NOT NULL`,
  )}) m ON m.day = d.day::date
  GROUP BY d.day ORDER BY d.day`;

const MEASURED_MOVES = 100;

/** The newest finished moves of all kinds that copied something, with their duration. */
const RECENT_MOVES = ALL_MOVE_KINDS.map(
  ({ table }) =>
    `(SELECT destination_storage_name AS storage, bytes_total AS bytes, finished_at,
             extract(epoch FROM finished_at - started_at)::float8 AS seconds
      FROM ${table} WHERE state = 'finished' AND bytes_total > 0
      ORDER BY id DESC LIMIT ${MEASURED_MOVES})`,
).join(' UNION ALL ');

export const THROUGHPUT_SQL = `
  SELECT storage, (sum(bytes) / nullif(sum(seconds), 0))::float8 AS rate
       FROM (${RECENT_MOVES}) recent GROUP BY storage`;

const MOVES = ALL_MOVE_KINDS.map(
  ({ table }) => `SELECT source_storage_name AS source, destination_storage_name AS destination,
    state, greatest(coalesce(bytes_total, 0) - bytes_copied, 0) AS bytes_left FROM ${table}
    WHERE state = ANY($1::text[])`,
).join(' UNION ALL ');

/** Moves in the states $1, by state and route. */
export const MOVE_COUNTS_SQL = `
  SELECT state AS name, sum(count)::int AS count, json_agg(json_build_object(
    'source', source, 'destination', destination, 'count', count, 'bytesLeft', bytes_left)) AS routes
  FROM (
    SELECT state, source, destination, count(*)::int AS count,
      sum(CASE WHEN state = 'started' THEN bytes_left ELSE 0 END)::float8 AS bytes_left
    FROM (${MOVES}) moves GROUP BY 1, 2, 3) routes
  GROUP BY state`;

/** Returns the statement that counts the containers of a kind on the storages $1. */
export function containerCountsSql({ containerTable, isAlive }: MoveKindDescription): string {
  return `SELECT c.repository_storage AS name, count(*)::int AS count FROM ${containerTable} c
    WHERE c.repository_storage = ANY($1::text[]) AND ${isAlive} GROUP BY 1`;
}
