import { ALL_MOVE_KINDS, type MoveKindDescription } from '../../move-kinds.js';

/** Moves that a worker can lease: waiting ones, and begun ones without a lease. */
const IS_FREE = `(m.lease_until IS NULL OR m.lease_until < now())`;
const IS_DUE = `(m.retry_at IS NULL OR m.retry_at <= now() OR m.cancelled_by IS NOT NULL)`;

/** Moves that copy now, by storages. Clean-ups read and write next to nothing and do not count. */
export const RUNNING = `SELECT source, destination, count(*)::int AS count FROM (${ALL_MOVE_KINDS.map(
  ({ table }) => `SELECT m.source_storage_name AS source, m.destination_storage_name AS destination
    FROM ${table} m WHERE m.state = 'started' AND m.lease_until >= now()`,
).join(' UNION ALL ')}) running GROUP BY 1, 2`;

/**
 * Moves of all kinds that could run, oldest first.
 * $1 = how many, $2 and $3 = sources and destinations at their limit, $4 and $5 = sources and
 * destinations from and to which nothing new may start.
 */
export const CANDIDATES = `WITH ${ALL_MOVE_KINDS.flatMap(candidateParts).join(', ')}
  ${ALL_MOVE_KINDS.flatMap(({ kind }) => [
    `SELECT * FROM ${kind}_begun`,
    `SELECT * FROM ${kind}_new`,
  ]).join(' UNION ALL ')}
  ORDER BY begun DESC, created_at, id`;

function candidateParts(description: MoveKindDescription): string[] {
  const { kind, table } = description;
  const columns = `'${kind}' AS kind, m.id, m.source_storage_name AS source,
    m.destination_storage_name AS destination, m.created_at, m.attempt`;
  const hasRoom = `m.source_storage_name <> ALL ($2::text[])
    AND m.destination_storage_name <> ALL ($3::text[])`;
  return [
    `${kind}_begun AS (
       SELECT ${columns}, true AS begun FROM ${table} m
       WHERE m.state IN ('started', 'replicated') AND ${IS_FREE} AND ${IS_DUE} AND ${hasRoom}
       ORDER BY m.id LIMIT $1)`,
    `${kind}_new AS (
       SELECT ${columns}, false AS begun FROM ${table} m
       WHERE m.state = 'scheduled' AND ${hasRoom}
         AND m.source_storage_name <> ALL ($4::text[])
         AND m.destination_storage_name <> ALL ($5::text[])
       ORDER BY m.id LIMIT $1)`,
  ];
}

/**
 * Those of the named moves that could run, oldest first, locked against cancellation while they are
 * leased. $1, $2 and $3 = ids of each kind.
 */
export const LOCK_DUE = `WITH ${ALL_MOVE_KINDS.map(
  ({ kind, table }, index) => `${kind}_due AS (
    SELECT '${kind}' AS kind, m.id, m.source_storage_name AS source,
      m.destination_storage_name AS destination, m.created_at, m.attempt,
      m.state <> 'scheduled' AS begun
    FROM ${table} m WHERE m.id = ANY ($${index + 1}::bigint[]) AND (m.state = 'scheduled'
      OR m.state IN ('started', 'replicated') AND ${IS_FREE} AND ${IS_DUE})
    ORDER BY m.id FOR UPDATE SKIP LOCKED)`,
).join(', ')}
  ${ALL_MOVE_KINDS.map(({ kind }) => `SELECT * FROM ${kind}_due`).join(' UNION ALL ')}
  ORDER BY begun DESC, created_at, id`;

/**
 * Takes the lease of moves. A begun move whose worker is gone has that counted as a retry; one
 * that was handed back has not. $1 = ids, $2 = the worker, $3 = seconds of the lease.
 */
export function takeLease(description: MoveKindDescription): string {
  const { kind, table, containerTable, containerColumn } = description;
  return `UPDATE ${table} m SET
      state = CASE WHEN m.state = 'scheduled' THEN 'started' ELSE m.state END,
      phase = CASE WHEN m.state = 'replicated' THEN 'cleaning' ELSE 'preflight' END,
      retries = m.retries + (m.lease_owner IS NOT NULL)::int,
      attempt = m.attempt + 1, lease_owner = $2, lease_until = now() + make_interval(secs => $3),
      retry_at = NULL, started_at = coalesce(m.started_at, now()), updated_at = now()
    FROM ${containerTable} c
    WHERE m.id = ANY ($1::bigint[]) AND c.id = m.${containerColumn}
    RETURNING '${kind}' AS kind, m.id, c.id AS "containerId", m.state, m.attempt, m.retries,
      m.source_storage_name AS source, m.destination_storage_name AS destination,
      m.cancelled_by AS "cancelledBy", ${description.hasRepository} AS "hasRepository",
      NOT EXISTS (SELECT 1 FROM inflight_writes w
                  WHERE w.repository_key = ANY (${description.repositoryKeys})) AS "isDrained"`;
}

/** After a long wait between attempts the container was writable; $1 = ids of the moves. */
export function makeReadOnlyAgain(description: MoveKindDescription): string {
  const { table, containerTable, containerColumn } = description;
  return `UPDATE ${containerTable} c SET repository_read_only = true, read_only_move_id = m.id
    FROM ${table} m
    WHERE m.id = ANY ($1::bigint[]) AND m.state = 'started' AND c.id = m.${containerColumn}
      AND NOT c.repository_read_only`;
}
