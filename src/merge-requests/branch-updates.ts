import type { RefCommand } from '../git/inflight-write.entity.js';
import { BRANCH_PREFIX, isZeroOid } from '../git/reference-name.js';
import { numberOfHead } from './merge-request-refs.service.js';

/** A branch that was moved, made or deleted. */
export interface BranchUpdate {
  name: string;
  /** null = it was made. */
  from: string | null;
  /** null = it was deleted. */
  to: string | null;
}

/** Content of a write that merge requests depend on. */
export interface WriteContent {
  branches: BranchUpdate[];
  /** Number and commit of the merge request that the write merges; pushes never name one. */
  merging: { iid: number; headSha: string } | null;
}

/** Reads the updates of one write. Who merges moves the merge request's own ref, too. */
export function contentOf(updates: readonly RefCommand[]): WriteContent {
  const branches = updates
    .filter(({ ref }) => ref.startsWith(BRANCH_PREFIX))
    .map(({ ref, oldOid, newOid }) => ({
      name: ref.slice(BRANCH_PREFIX.length),
      from: isZeroOid(oldOid) ? null : oldOid,
      to: isZeroOid(newOid) ? null : newOid,
    }));
  for (const { ref, newOid } of updates) {
    const iid = numberOfHead(ref);
    if (iid !== null) return { branches, merging: { iid, headSha: newOid } };
  }
  return { branches, merging: null };
}
