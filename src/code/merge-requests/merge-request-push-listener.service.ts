import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RefCommand } from '../../git/reference-updates.js';
import {
  type RecordedWrite,
  type RefUpdateListener,
  RefUpdateListeners,
  type UpdateReaction,
} from '../../git/push-recorder.service.js';
import { IssueStates } from '../../workspace/issues/issue-states.service.js';
import { closedIssueNumbers } from './merge-request-contents.service.js';
import { MergeRecords, type RequestMove } from './merge-records.service.js';
import {
  type LockedMergeRequest,
  MergeRequestPushesRepository,
  type Merged,
  type OpenMergeRequest,
} from './merge-request-pushes.repository.js';
import {
  contentOf,
  type PushFacts,
  PushReader,
  type WriteContent,
  mergeCommitOf,
} from './push-reader.js';

/** A write, the part of it that was not on record before, and its facts. */
interface NewPush {
  write: RecordedWrite;
  recorded: WriteContent;
  facts: PushFacts;
}

/**
 * Records what pushes, commits and merges change: new heads, merges of any kind, and the issues
 * that reached the default branch with them. Merging itself only moves refs: the record of the
 * merge follows here, also when the process that moved them died.
 */
@Injectable()
export class MergeRequestPushListener implements RefUpdateListener, OnModuleInit {
  private readonly logger = new Logger(MergeRequestPushListener.name);

  constructor(
    private readonly listeners: RefUpdateListeners,
    private readonly pushes: MergeRequestPushesRepository,
    private readonly records: MergeRecords,
    private readonly issues: IssueStates,
  ) {}

  onModuleInit(): void {
    this.listeners.add(this);
  }

  /** Reads, and keeps the new heads by their refs: the write's lease is still held. */
  async prepare(
    write: RecordedWrite,
    updates: readonly RefCommand[],
  ): Promise<UpdateReaction | null> {
    const content = contentOf(updates);
    const names = content.branches.map(({ name }) => name);
    if (write.kind !== 'project' || names.length === 0) return null;
    const open = await this.pushes.listOpen(write.containerId, names);
    const reader = new PushReader(write.repositoryPath, (text) => this.logger.warn(text));
    const facts = await reader.read(content, open);
    return (tx, recorded) => this.react(tx, { write, recorded: contentOf(recorded), facts }, open);
  }

  /** Within the transaction that records the write; `open` was read before it. */
  private async react(
    tx: EntityManager,
    push: NewPush,
    open: readonly OpenMergeRequest[],
  ): Promise<void> {
    const { write, recorded } = push;
    const { containerId: projectId, userId: actorId, repositoryPath } = write;
    if (recorded.branches.length === 0) return;
    const ids = open.filter((request) => isConcerned(request, push)).map(({ id }) => id);
    const iid = recorded.merging?.iid ?? null;
    const concerned =
      ids.length === 0 && iid === null ? [] : await this.pushes.lock(tx, projectId, { ids, iid });
    const merged = concerned.flatMap((request) => mergedOf(request, push));
    await this.records.recordMerged(tx, merged, actorId);
    const isMerged = new Set(merged.map(({ id }) => id));
    const rest = concerned.filter(({ id, state }) => state === 'opened' && !isMerged.has(id));
    const moves = rest.flatMap((request) => movesOf(request, push));
    await this.records.recordMoves(tx, { repositoryPath, actorId }, moves);
    const names = recorded.branches.map(({ name }) => name);
    await this.pushes.resetChecks(tx, projectId, names);
    const own = concerned.filter(({ id }) => isMerged.has(id));
    await this.closeIssues(tx, push, own);
  }

  /** Closes the issues that texts on their way into the default branch name. */
  private async closeIssues(
    tx: EntityManager,
    { write, recorded, facts }: NewPush,
    merged: readonly LockedMergeRequest[],
  ): Promise<void> {
    const { defaultBranch, messages } = facts;
    const { containerId: projectId, userId: actorId } = write;
    const isReached = recorded.branches.some(({ name }) => name === defaultBranch);
    if (!isReached || actorId === null) return;
    const own = merged.filter(({ targetBranch }) => targetBranch === defaultBranch);
    const texts = own.flatMap(({ title, description }) => [title, description ?? '']);
    const numbers = closedIssueNumbers([...texts, ...messages].join('\n'));
    if (numbers.length === 0) return;
    const ids = await this.pushes.findClosableIssues(tx, { projectId, actorId }, numbers);
    await this.issues.close(tx, ids, { actorId });
  }
}

/** Merging has the last word about its own merge request, even one that was closed meanwhile. */
function mergedOf(request: LockedMergeRequest, { recorded, facts }: NewPush): Merged[] {
  const { id, iid, projectId, targetBranch } = request;
  const target = recorded.branches.find(({ name }) => name === targetBranch);
  if (target === undefined || target.to === null) return [];
  if (recorded.merging?.iid === iid) {
    return [{ id, projectId, headSha: recorded.merging.headSha, mergeCommitSha: target.to }];
  }
  // One push can bring the source branch and the target that contains it.
  const headSha = facts.moves.get(id)?.update.to ?? request.headSha;
  const gained = facts.gained.get(targetBranch);
  if (request.state !== 'opened' || gained?.has(headSha) !== true) return [];
  return [{ id, projectId, headSha, mergeCommitSha: mergeCommitOf(gained, headSha) }];
}

function isConcerned(request: OpenMergeRequest, { facts }: NewPush): boolean {
  if (facts.moves.has(request.id)) return true;
  return facts.gained.get(request.targetBranch)?.has(request.headSha) === true;
}

function movesOf(request: LockedMergeRequest, { recorded, facts }: NewPush): RequestMove[] {
  const move = facts.moves.get(request.id);
  const isNew = recorded.branches.some(({ name }) => name === move?.update.name);
  return move !== undefined && isNew ? [{ request, move }] : [];
}
