import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Activity } from '../../core/activity/activity.service.js';
import type { NewNotification } from '../../core/activity/notifications.repository.js';
import { branchTips } from '../../git/reference-reader.js';
import { writeSystemNotes } from '../../workspace/notes/notes.repository.js';
import { AutoMergesRepository } from './auto-merges.repository.js';
import { codeSpan } from './merge-request-changes.js';
import {
  type LockedMergeRequest,
  MergeRequestPushesRepository,
  type Merged,
} from './merge-request-pushes.repository.js';
import { MAX_COUNTED, type SourceMove } from './push-reader.js';

/** A locked open merge request, and the move of its source branch. */
export interface RequestMove {
  request: LockedMergeRequest;
  move: SourceMove;
}

/** Records merges and moves of source branches: row, system note and event or notification. */
@Injectable()
export class MergeRecords {
  constructor(
    private readonly pushes: MergeRequestPushesRepository,
    private readonly autoMerges: AutoMergesRepository,
    private readonly activity: Activity,
  ) {}

  /** `actorId` null = the system itself, which leaves neither note nor event. */
  async recordMerged(
    tx: EntityManager,
    merged: readonly Merged[],
    actorId: number | null,
  ): Promise<void> {
    if (merged.length === 0) return;
    await this.pushes.markMerged(tx, merged, actorId);
    if (actorId === null) return;
    await writeSystemNotes(
      (text, values) => tx.query(text, values),
      merged.map(({ id }) => ({ mergeRequestId: id, authorId: actorId, body: 'merged' })),
    );
    const events = merged.map(({ id, projectId }) => {
      const target = { type: 'merge_request', id } as const;
      return { projectId, authorId: actorId, action: 'merged', target } as const;
    });
    await this.activity.record(tx, events);
  }

  /**
   * Records moves of source branches, disables auto-merge for the old heads and notifies. The tip
   * is read under the lock, so that of two pushes the later one has the last word.
   */
  async recordMoves(
    tx: EntityManager,
    { repositoryPath, actorId }: { repositoryPath: string; actorId: number | null },
    moves: readonly RequestMove[],
  ): Promise<void> {
    await this.moveHeads(tx, repositoryPath, moves);
    if (actorId !== null) {
      await writeSystemNotes(
        (text, values) => tx.query(text, values),
        moves.map(({ request, move }) => {
          return { mergeRequestId: request.id, authorId: actorId, body: noteOf(request, move) };
        }),
      );
    }
    const ids = moves.map(({ request }) => request.id);
    await this.autoMerges.disableMoved(tx, ids, actorId);
    await this.activity.notify(tx, moveNotifications(moves, actorId));
  }

  private async moveHeads(
    tx: EntityManager,
    repositoryPath: string,
    moves: readonly RequestMove[],
  ): Promise<void> {
    if (moves.length === 0) return;
    const names = [...new Set(moves.map(({ request }) => request.sourceBranch))];
    const tips = await branchTips(repositoryPath, names);
    for (const { request, move } of moves) {
      const headSha = tips.get(request.sourceBranch);
      if (headSha === undefined || move.update.to === null) continue;
      const baseSha = headSha === move.update.to ? move.baseSha : null;
      await this.pushes.moveHead(tx, request.id, { headSha, baseSha });
    }
  }
}

/**
 * Returns the notifications of moves: none of deleted branches, nor of commits that the merge
 * request was opened with meanwhile.
 */
function moveNotifications(
  moves: readonly RequestMove[],
  actorId: number | null,
): NewNotification[] {
  if (actorId === null) return [];
  return moves.flatMap(({ request: { id, projectId, headSha }, move: { update } }) => {
    const { from, to } = update;
    if (to === null || to === headSha) return [];
    const details = { from: from ?? headSha, to };
    const target = { type: 'merge_request', id } as const;
    return [{ kind: 'push_to_merge_request', projectId, actorId, target, details }];
  });
}

function noteOf({ sourceBranch }: LockedMergeRequest, { update, added }: SourceMove): string {
  if (update.to === null) return `deleted the ${codeSpan(sourceBranch)} branch`;
  if (!added) return `moved the source branch to ${update.to.slice(0, 8)}`;
  const number = added === MAX_COUNTED ? `${added}+` : String(added);
  return `added ${number} ${added === 1 ? 'commit' : 'commits'}`;
}
