import type { EntityManager } from 'typeorm';
import { ApiError } from '../core/errors.js';

const OPEN_INDEX = 'uq_merge_requests_open';

/** Branches that are unique among the open merge requests of a project. */
interface Place {
  projectId: number;
  sourceBranch: string;
  targetBranch: string;
}

const CLASH_SQL = `
  SELECT iid FROM merge_requests
  WHERE project_id = $1 AND source_branch = $2 AND target_branch = $3 AND state = 'opened'
    AND iid IS DISTINCT FROM $4::bigint`;

/** 409 when another open one already joins these branches; `iid` is the own number, if any. */
export async function assertOnlyOpenOne(
  manager: EntityManager,
  { projectId, sourceBranch, targetBranch }: Place,
  iid: number | null,
): Promise<void> {
  const values = [projectId, sourceBranch, targetBranch, iid];
  const [clash] = await manager.query<{ iid: number }[]>(CLASH_SQL, values);
  if (clash !== undefined) throw clashError(clash.iid);
}

/** The 409 for a violation of the database's own rule; other errors as they are. */
export function asClash(error: unknown): unknown {
  const { constraint } = (error as { driverError?: { constraint?: string } }).driverError ?? {};
  return constraint === OPEN_INDEX ? clashError(null) : error;
}

function clashError(iid: number | null): ApiError {
  const text = 'Another open merge request already exists for this source branch';
  return new ApiError(409, { message: [iid === null ? text : `${text}: !${iid}`] });
}
