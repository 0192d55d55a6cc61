import type { EntityManager } from 'typeorm';
import type { NewNotice } from '../activity/new-notice.js';
import { branchTips } from '../git/branch-tips.js';
import { countCommits } from '../git/reading/commits.js';
import { EMPTY_TREE } from '../git/reading/diffs.js';
import { mergeBase } from '../git/reading/merge-bases.js';
import type { OpenRepository } from '../git/reading/repository-reader.service.js';
import { writeSystemNotes } from '../notes/notes.repository.js';
import type { BranchUpdate } from './branch-updates.js';
import type { Concerned, OpenOne } from './concerned-merge-requests.js';
import { codeSpan } from './merge-request-change-notes.js';

const MAX_COUNTED = 10_000;

/** Change of a merge request's source branch by a push. */
export interface SourceMove {
  update: BranchUpdate;
  /** Commits that it added; null when they could not be counted. */
  added: number | null;
  /** Where the branches part now; null when that could not be told. */
  baseSha: string | null;
}

/** Reads what the move of its source branch means for an open merge request. */
export async function readSourceMove(
  repository: OpenRepository,
  update: BranchUpdate,
  { targetBranch, headSha }: OpenOne,
): Promise<SourceMove> {
  const { from, to } = update;
  if (to === null) return { update, added: null, baseSha: null };
  const target = (await branchTips(repository.path, [targetBranch])).get(targetBranch);
  const [added, base] = await Promise.all([
    countCommits(repository, { include: [to], exclude: [from ?? headSha] }, MAX_COUNTED),
    target === undefined ? null : mergeBase(repository, [to, target]),
  ]);
  return { update, added, baseSha: target === undefined ? null : (base ?? EMPTY_TREE) };
}

/** An open merge request as it was, and what became of its source branch. */
export interface RequestMove {
  request: Concerned;
  move: SourceMove;
}

const MOVED_SQL = `
  UPDATE merge_requests
  SET head_sha = $2, base_sha = coalesce($3, base_sha), merge_status = 'unchecked',
      updated_at = now()
  WHERE id = $1`;

/**
 * Puts the moves of still open ones, whose rows the caller holds, on record. The tip is read under
 * the lock, so that of two pushes the later one has the last word.
 */
export async function recordSourceMoves(
  tx: EntityManager,
  place: { repositoryPath: string; actorId: number | null },
  moves: readonly RequestMove[],
): Promise<void> {
  if (moves.length === 0) return;
  const names = [...new Set(moves.map(({ request }) => request.sourceBranch))];
  const tips = await branchTips(place.repositoryPath, names);
  for (const { request, move } of moves) {
    const tip = tips.get(request.sourceBranch);
    if (tip === undefined || move.update.to === null) continue;
    const baseSha = tip === move.update.to ? move.baseSha : null;
    await tx.query(MOVED_SQL, [request.id, tip, baseSha]);
  }
  const { actorId } = place;
  if (actorId === null) return;
  await writeSystemNotes(
    (text, values) => tx.query(text, values),
    moves.map(({ request, move }) => {
      return { mergeRequestId: request.id, authorId: actorId, body: noteOf(request, move) };
    }),
  );
}

/**
 * Returns the notices of the moves: none for deleted branches, nor for commits that the merge
 * request was opened with in the meantime.
 */
export function moveNotices(moves: readonly RequestMove[], actorId: number | null): NewNotice[] {
  if (actorId === null) return [];
  return moves.flatMap(({ request: { id, projectId, headSha }, move: { update } }) => {
    const { from, to } = update;
    if (to === null || to === headSha) return [];
    const details = { from: from ?? headSha, to };
    const target = { type: 'merge_request', id } as const;
    return [{ kind: 'push_to_merge_request', projectId, actorId, target, details }];
  });
}

function noteOf({ sourceBranch }: Concerned, { update, added }: SourceMove): string {
  if (update.to === null) return `deleted the ${codeSpan(sourceBranch)} branch`;
  if (!added) return `moved the source branch to ${update.to.slice(0, 8)}`;
  const number = added === MAX_COUNTED ? `${added}+` : String(added);
  return `added ${number} ${added === 1 ? 'commit' : 'commits'}`;
}
