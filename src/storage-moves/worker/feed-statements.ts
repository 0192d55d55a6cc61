import { ALL_MOVE_KINDS, type MoveKindDescription } from '../move-kinds.js';

/** A container on the storage that is being emptied. */
export interface Candidate {
  id: number;
  isBusy: boolean;
}

/** Batches that are not done, oldest first; locked ones belong to another worker just now. */
export const OPEN_BATCHES = (isLocking: boolean): string =>
  `SELECT id, kind, source_storage_name AS source, destination_storage_name AS destination,
          cursor_id AS cursor
   FROM storage_move_batches WHERE finished_at IS NULL ORDER BY id LIMIT 20
   ${isLocking ? 'FOR UPDATE SKIP LOCKED' : ''}`;

/** Waiting moves into $1; when the destination is drawn (NULL), those out of the source $2. */
export const COUNT_WAITING = `SELECT count(*)::int AS waiting FROM (${ALL_MOVE_KINDS.map(
  ({ table }) => `SELECT 1 FROM ${table} m WHERE m.state = 'scheduled'
    AND CASE WHEN $1::text IS NULL THEN m.source_storage_name = $2
             ELSE m.destination_storage_name = $1 END`,
).join(' UNION ALL ')}) waiting`;

/** $1 = storage, $2 = last id looked at, $3 = how many. */
export function lockContainers(description: MoveKindDescription): string {
  const { containerTable, isAlive, table, containerColumn } = description;
  return `SELECT c.id, c.repository_read_only OR EXISTS (
            SELECT 1 FROM ${table} m WHERE m.${containerColumn} = c.id
              AND m.state IN ('initial', 'scheduled', 'started', 'replicated')) AS "isBusy"
    FROM ${containerTable} c
    WHERE c.repository_storage = $1 AND c.id > $2 AND ${isAlive}
    ORDER BY c.id LIMIT $3 FOR NO KEY UPDATE OF c`;
}

/** $1 = containers, $2 = their destinations, $3 = source, $4 = batch. Rows and flags together. */
export function insertMoves(description: MoveKindDescription): string {
  const { table, containerTable, containerColumn } = description;
  return `WITH made AS (
      INSERT INTO ${table} (${containerColumn}, state, source_storage_name,
        destination_storage_name, batch_id, created_by_id)
      SELECT wanted.id, 'scheduled', $3, wanted.destination, $4, b.created_by_id
      FROM unnest($1::bigint[], $2::text[]) AS wanted (id, destination),
           storage_move_batches b
      WHERE b.id = $4
      ON CONFLICT DO NOTHING
      RETURNING id, ${containerColumn} AS container_id
    )
    UPDATE ${containerTable} c SET repository_read_only = true, read_only_move_id = made.id
    FROM made WHERE c.id = made.container_id RETURNING c.id AS "containerId"`;
}
