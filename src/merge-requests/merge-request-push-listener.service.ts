import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { RefCommand } from '../git/inflight-write.entity.js';
import {
  type RecordedWrite,
  type RefUpdateListener,
  RefUpdateListeners,
  type UpdateReaction,
} from '../git/ref-update-listeners.service.js';
import { contentOf } from './branch-updates.js';
import { openOnes } from './concerned-merge-requests.js';
import { newPush, PushReactions } from './push-reactions.service.js';
import { PushReader } from './push-reader.js';

/**
 * Applies pushes, commits and merges to merge requests: new heads, merges by any means, and the
 * issues that reached the default branch with them. Merging itself only moves refs: its record is
 * made here, also when the process that moved them died.
 */
@Injectable()
export class MergeRequestPushListener implements RefUpdateListener, OnModuleInit {
  private readonly logger = new Logger(MergeRequestPushListener.name);

  constructor(
    private readonly listeners: RefUpdateListeners,
    private readonly dataSource: DataSource,
    private readonly reactions: PushReactions,
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
    if (write.kind !== 'project' || content.branches.length === 0) return null;
    const open = await openOnes(this.dataSource.manager, write.containerId, content.branches);
    const reader = new PushReader(write.repositoryPath, (text) => this.logger.warn(text));
    const facts = await reader.read(content, open);
    return (tx, recorded) => this.reactions.react(tx, newPush(write, recorded, facts), open);
  }
}
