import type { EntityManager } from 'typeorm';
import { writeSystemNotes } from '../notes/notes.repository.js';
import { HEAD_PIPELINE } from './head-pipelines.service.js';

/** Columns of a merge request that waits for no pipeline. */
export const NO_AUTO_MERGE = {
  autoMergeUserId: null,
  autoMergeSha: null,
  autoMergeMessage: null,
  autoMergeDue: false,
} as const;

const TAKEN_BACK = `auto_merge_user_id = NULL, auto_merge_sha = NULL, auto_merge_message = NULL,
    auto_merge_due = false`;

const MOVED_SQL = `
  UPDATE merge_requests SET ${TAKEN_BACK}
  WHERE id = ANY($1::bigint[]) AND auto_merge_user_id IS NOT NULL AND auto_merge_sha <> head_sha
  RETURNING id`;

const END_SQL = `
  UPDATE merge_requests SET ${TAKEN_BACK}, updated_at = now()
  WHERE id = $1 AND state = 'opened' AND auto_merge_user_id IS NOT NULL
    AND auto_merge_sha = head_sha
  RETURNING id`;

/** In the order of ids, like whoever locks several merge requests. */
const DUE_SQL = `
  UPDATE merge_requests SET auto_merge_due = true
  WHERE id IN (
    SELECT r.id FROM merge_requests r
    WHERE r.project_id = $1 AND r.state = 'opened' AND r.auto_merge_user_id IS NOT NULL
      AND r.auto_merge_sha = $2 AND r.head_sha = $2
      AND (SELECT l.status ${HEAD_PIPELINE}) = 'success'
    ORDER BY r.id FOR UPDATE)`;

/** Rows that an UPDATE … RETURNING of TypeORM answers. */
type Returned = [rows: { id: number }[], count: number];

/**
 * Cancels auto-merges of these merge requests, whose rows the caller has locked, after a new head
 * commit. `actorId` null = the pusher is unknown.
 */
export async function takeBackMovedWishes(
  tx: EntityManager,
  ids: readonly number[],
  actorId: number | null,
): Promise<void> {
  if (ids.length === 0) return;
  const [moved] = await tx.query<Returned>(MOVED_SQL, [ids]);
  if (actorId === null) return;
  const body = 'aborted the automatic merge because the source branch was updated';
  await writeSystemNotes(
    (text, values) => tx.query(text, values),
    moved.map(({ id }) => ({ mergeRequestId: id, authorId: actorId, body })),
  );
}

/** Cancels one auto-merge, with a note about the reason; returns false if it was not enabled. */
export async function endWish(
  tx: EntityManager,
  id: number,
  note: { authorId: number; body: string },
): Promise<boolean> {
  const [ended] = await tx.query<Returned>(END_SQL, [id]);
  if (ended.length === 0) return false;
  const notes = [{ mergeRequestId: id, ...note }];
  await writeSystemNotes((text, values) => tx.query(text, values), notes);
  return true;
}

/** The merges that waited for the pipelines of this commit are the worker's now. */
export async function markDue(
  tx: EntityManager,
  { projectId, sha }: { projectId: number; sha: string },
): Promise<void> {
  await tx.query(DUE_SQL, [projectId, sha]);
}
