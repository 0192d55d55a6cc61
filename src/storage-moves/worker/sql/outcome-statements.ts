import type { MoveKindDescription } from '../../move-kinds.js';

/** True while the lease is ours: $1 = move, $2 = worker, $3 = attempt, in every statement. */
export const HELD = 'm.id = $1 AND m.lease_owner = $2 AND m.attempt = $3';

/** $4 = bytes in total, $5 = bytes copied, $6 = checksum. All or nothing: one statement. */
export function switchStatement(description: MoveKindDescription): string {
  const { table, containerTable, containerColumn, touch } = description;
  return `WITH held AS (
      SELECT m.id, m.${containerColumn} AS container_id, m.source_storage_name AS source,
             m.destination_storage_name AS destination
      FROM ${table} m
      WHERE ${HELD} AND m.state = 'started' AND m.cancelled_by IS NULL FOR UPDATE
    ), switched AS (
      UPDATE ${containerTable} c SET repository_storage = held.destination,
        repository_read_only = false, read_only_move_id = NULL${touch}
      FROM held
      WHERE c.id = held.container_id AND c.read_only_move_id = held.id
        AND c.repository_storage = held.source
      RETURNING held.id
    )
    UPDATE ${table} m SET state = 'replicated', phase = 'cleaning', bytes_total = $4,
      bytes_copied = $5, checksum = $6, error_message = NULL, writable_at = now(),
      updated_at = now()
    FROM switched WHERE m.id = switched.id RETURNING m.id`;
}

/** $4 = paths in the trash of the source, $5 = why they are there, $6 = hours to keep them. */
export function finishStatement({ table }: MoveKindDescription): string {
  return `WITH finished AS (
      UPDATE ${table} m SET state = 'finished', phase = 'done', lease_owner = NULL,
        lease_until = NULL, finished_at = now(), updated_at = now()
      WHERE ${HELD} AND m.state = 'replicated' RETURNING m.id, m.source_storage_name AS storage
    ), discarded AS (
      INSERT INTO repository_trash (storage, path, reason, delete_after)
      SELECT finished.storage, trash.path, $5, now() + make_interval(hours => $6)
      FROM finished, unnest($4::text[]) AS trash (path)
      ON CONFLICT (storage, path) DO NOTHING
    )
    SELECT id FROM finished`;
}

/** $4 = message. */
export function failStatement(description: MoveKindDescription): string {
  const { table, containerTable, containerColumn } = description;
  return `WITH failed AS (
      UPDATE ${table} m SET state = 'failed', phase = 'done', error_message = $4,
        lease_owner = NULL, lease_until = NULL, writable_at = now(), finished_at = now(),
        updated_at = now()
      WHERE ${HELD} AND m.state = 'started' RETURNING m.id, m.${containerColumn} AS container_id
    ), freed AS (
      UPDATE ${containerTable} c SET repository_read_only = false, read_only_move_id = NULL
      FROM failed WHERE c.id = failed.container_id AND c.read_only_move_id = failed.id
    )
    SELECT id FROM failed`;
}

/** $4 = retries to add, $5 = seconds to wait or NULL. The state stays as it is. */
export function releaseStatement(description: MoveKindDescription, keepReadOnly: boolean): string {
  const { table, containerTable, containerColumn } = description;
  const freed = `, freed AS (
      UPDATE ${containerTable} c SET repository_read_only = false, read_only_move_id = NULL
      FROM released WHERE c.id = released.container_id AND c.read_only_move_id = released.id
    )`;
  return `WITH released AS (
      UPDATE ${table} m SET retries = m.retries + $4::int, lease_owner = NULL, lease_until = NULL,
        retry_at = now() + make_interval(secs => $5::int), phase = 'queued', updated_at = now()
      WHERE ${HELD} AND m.state IN ('started', 'replicated')
      RETURNING m.id, m.${containerColumn} AS container_id
    )${keepReadOnly ? '' : freed}
    SELECT id FROM released`;
}
