import type { EntityManager } from 'typeorm';
import { ConflictError, InvalidParamsError, NotFoundError } from '../core/errors.js';
import { Issue } from './issue.entity.js';

/** The largest number that v4 clients know; what is counted on from there still is exact. */
const MAX_CHOSEN = 2_147_483_647;

/** The row of the counter is held until the commit, so numbers are given in order of commits. */
const NEXT_SQL = `
  INSERT INTO issue_counters AS c (project_id, last_iid)
    SELECT id, 1 FROM projects WHERE id = $1 AND NOT pending_delete
  ON CONFLICT (project_id) DO UPDATE SET last_iid = c.last_iid + 1
  RETURNING last_iid AS iid`;

const CHOSEN_SQL = `
  INSERT INTO issue_counters AS c (project_id, last_iid)
    SELECT id, $2::bigint FROM projects WHERE id = $1 AND NOT pending_delete
  ON CONFLICT (project_id) DO UPDATE SET last_iid = greatest(c.last_iid, excluded.last_iid)
  RETURNING $2::bigint AS iid`;

/** 400 for a number that no issue can have. */
export function assertUsableNumber(chosen: number | null): void {
  if (chosen !== null && chosen > MAX_CHOSEN) {
    throw new InvalidParamsError(['iid has a value not allowed']);
  }
}

/**
 * The number of the issue to be made: the next one, or the chosen one, behind which counting then
 * goes on. Throws 404 when the project is deleted meanwhile, 409 when the chosen one is taken.
 */
export async function takeNumber(
  tx: EntityManager,
  projectId: number,
  chosen: number | null,
): Promise<number> {
  const values = chosen === null ? [projectId] : [projectId, chosen];
  const sql = chosen === null ? NEXT_SQL : CHOSEN_SQL;
  const [row] = await tx.query<{ iid: number }[]>(sql, values);
  if (row === undefined) throw new NotFoundError('Project');
  const { iid } = row;
  // Nobody takes a number without the counter, so what is free now stays free.
  const isTaken = chosen !== null && (await tx.existsBy(Issue, { projectId, iid }));
  if (isTaken) throw new ConflictError('Duplicated issue');
  return iid;
}
