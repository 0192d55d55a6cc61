import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Activity } from '../activity/activity.service.js';
import type { RefCommand } from '../git/inflight-write.entity.js';
import type { RecordedWrite } from '../git/ref-update-listeners.service.js';
import { takeBackMovedWishes } from './auto-merge-wishes.js';
import { contentOf, type WriteContent } from './branch-updates.js';
import { type Concerned, lockConcerned, type OpenOne } from './concerned-merge-requests.js';
import { IssueClosings } from './issue-closings.service.js';
import { mergeCommitOf } from './merge-detection.js';
import { type Merged, MergeRecords } from './merge-records.service.js';
import type { PushFacts } from './push-reader.js';
import { moveNotices, recordSourceMoves } from './source-moves.js';

/** A write, the part of it that was not on record before, and what is known about it. */
export interface NewPush {
  write: RecordedWrite;
  recorded: WriteContent;
  facts: PushFacts;
}

/** Lists show that a tip has moved since. */
const STALE_SQL = `
  UPDATE merge_requests SET merge_status = 'unchecked'
  WHERE project_id = $1 AND target_branch = ANY($2::text[]) AND state = 'opened'
    AND merge_status <> 'unchecked'`;

/** Puts on record what a write means for merge requests and issues. */
@Injectable()
export class PushReactions {
  constructor(
    private readonly records: MergeRecords,
    private readonly closings: IssueClosings,
    private readonly activity: Activity,
  ) {}

  /** Within the transaction that records the write; `open` was read before it. */
  async react(tx: EntityManager, push: NewPush, open: readonly OpenOne[]): Promise<void> {
    const { write, recorded } = push;
    const { containerId: projectId, userId: actorId, repositoryPath } = write;
    if (recorded.branches.length === 0) return;
    const ids = open.filter((request) => isConcerned(request, push)).map(({ id }) => id);
    const iid = recorded.merging?.iid ?? null;
    const concerned =
      ids.length === 0 && iid === null ? [] : await lockConcerned(tx, projectId, { ids, iid });
    const merged = concerned.flatMap((request) => mergedOf(request, push));
    await this.records.record(tx, merged, actorId);
    const isMerged = new Set(merged.map(({ id }) => id));
    const rest = concerned.filter(({ id, state }) => state === 'opened' && !isMerged.has(id));
    const moves = rest.flatMap((request) => movesOf(request, push));
    await recordSourceMoves(tx, { repositoryPath, actorId }, moves);
    await takeBackMovedWishes(
      tx,
      moves.map(({ request }) => request.id),
      actorId,
    );
    await this.activity.notify(tx, moveNotices(moves, actorId));
    await tx.query(STALE_SQL, [projectId, recorded.branches.map(({ name }) => name)]);
    const own = concerned.filter(({ id }) => isMerged.has(id));
    await this.closeIssues(tx, push, own);
  }

  private async closeIssues(
    tx: EntityManager,
    { write, recorded, facts }: NewPush,
    merged: readonly Concerned[],
  ): Promise<void> {
    const { defaultBranch, messages } = facts;
    const { containerId: projectId, userId: actorId } = write;
    const isReached = recorded.branches.some(({ name }) => name === defaultBranch);
    if (!isReached || actorId === null) return;
    const own = merged.filter(({ targetBranch }) => targetBranch === defaultBranch);
    const texts = own.flatMap(({ title, description }) => [title, description ?? '']);
    await this.closings.close(tx, { projectId, actorId }, [...texts, ...messages]);
  }
}

/** Merging has the last word about its own merge request, even one that was closed meanwhile. */
function mergedOf(request: Concerned, { recorded, facts }: NewPush): Merged[] {
  const { id, iid, projectId, targetBranch } = request;
  const target = recorded.branches.find(({ name }) => name === targetBranch);
  if (target === undefined || target.to === null) return [];
  if (recorded.merging?.iid === iid) {
    return [{ id, projectId, headSha: recorded.merging.headSha, mergeCommitSha: target.to }];
  }
  const headSha = headOf(request, facts);
  const gained = facts.gained.get(targetBranch);
  if (request.state !== 'opened' || gained?.has(headSha) !== true) return [];
  return [{ id, projectId, headSha, mergeCommitSha: mergeCommitOf(gained, headSha) }];
}

/** One push may bring the source branch and the target that contains it. */
function headOf({ id, headSha }: OpenOne, { moves }: PushFacts): string {
  return moves.get(id)?.update.to ?? headSha;
}

function isConcerned(request: OpenOne, { facts }: NewPush): boolean {
  if (facts.moves.has(request.id)) return true;
  return facts.gained.get(request.targetBranch)?.has(request.headSha) === true;
}

function movesOf(request: Concerned, { recorded, facts }: NewPush) {
  const move = facts.moves.get(request.id);
  const isNew = recorded.branches.some(({ name }) => name === move?.update.name);
  return move !== undefined && isNew ? [{ request, move }] : [];
}

/** Returns the updates of a write that were not recorded before. */
export function newPush(
  write: RecordedWrite,
  recorded: readonly RefCommand[],
  facts: PushFacts,
): NewPush {
  return { write, recorded: contentOf(recorded), facts };
}
