import type { EntityManager } from 'typeorm';
import type { BranchUpdate } from './branch-updates.js';
import type { MergeRequestState } from './merge-request.entity.js';

/** More open merge requests of moved branches are not looked at with one push. */
const MAX_CONCERNED = 5_000;

/** A merge request as far as pushes are concerned with it. */
export interface Concerned {
  id: number;
  iid: number;
  projectId: number;
  state: MergeRequestState;
  title: string;
  description: string | null;
  sourceBranch: string;
  targetBranch: string;
  headSha: string;
}

/** Without the texts, which may be long and are of use only once it is merged. */
export type OpenOne = Omit<Concerned, 'state' | 'title' | 'description'>;

const OPEN_COLUMNS = `id, iid, project_id AS "projectId", source_branch AS "sourceBranch",
  target_branch AS "targetBranch", head_sha AS "headSha"`;

const OPEN_SQL = `
  SELECT ${OPEN_COLUMNS} FROM merge_requests
  WHERE project_id = $1 AND state = 'opened'
    AND (source_branch = ANY($2::text[]) OR target_branch = ANY($2::text[]))
  ORDER BY id DESC LIMIT ${MAX_CONCERNED}`;

/** In the order of ids, so that two transactions never wait for each other. */
const LOCK_SQL = `
  SELECT ${OPEN_COLUMNS}, state, title, description FROM merge_requests
  WHERE project_id = $1 AND state <> 'merged' AND (id = ANY($2::bigint[]) OR iid = $3)
  ORDER BY id FOR UPDATE`;

/** The open ones that join one of these branches with another. */
export function openOnes(
  manager: EntityManager,
  projectId: number,
  branches: readonly BranchUpdate[],
): Promise<OpenOne[]> {
  return manager.query<OpenOne[]>(OPEN_SQL, [projectId, branches.map(({ name }) => name)]);
}

/** Locks those with these ids, and the one with this number, but for those that are merged. */
export function lockConcerned(
  tx: EntityManager,
  projectId: number,
  { ids, iid }: { ids: readonly number[]; iid: number | null },
): Promise<Concerned[]> {
  return tx.query<Concerned[]>(LOCK_SQL, [projectId, ids, iid]);
}
