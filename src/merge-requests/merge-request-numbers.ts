import type { EntityManager } from 'typeorm';
import { NotFoundError } from '../core/errors.js';

/** The row of the counter is held until the commit, so numbers are given in order of commits. */
const NEXT_SQL = `
  INSERT INTO merge_request_counters AS c (project_id, last_iid)
    SELECT id, 1 FROM projects WHERE id = $1 AND NOT pending_delete
  ON CONFLICT (project_id) DO UPDATE SET last_iid = c.last_iid + 1
  RETURNING last_iid AS iid`;

/** The number of the merge request to be made; 404 when the project is deleted meanwhile. */
export async function takeNumber(tx: EntityManager, projectId: number): Promise<number> {
  const [row] = await tx.query<{ iid: number }[]>(NEXT_SQL, [projectId]);
  if (row === undefined) throw new NotFoundError('Project');
  return row.iid;
}
