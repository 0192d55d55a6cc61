import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RefCommand } from './inflight-write.entity.js';
import type { WriteRequest } from './write-lease.js';

/** A write whose updates are known; its id makes recording them idempotent. */
export interface RecordedWrite extends WriteRequest {
  id: string;
  repositoryPath: string;
}

/** Handles updates in the transaction that records the updates `recorded`. */
export type UpdateReaction = (tx: EntityManager, recorded: readonly RefCommand[]) => Promise<void>;

export interface RefUpdateListener {
  /**
   * Reads what it needs of the repository, before the transaction; null when nothing follows. Some
   * of the updates can be on record already; the reaction gets only those that were not.
   */
  prepare(write: RecordedWrite, updates: readonly RefCommand[]): Promise<UpdateReaction | null>;
}

/** Tells features above what was pushed, committed or merged. */
@Injectable()
export class RefUpdateListeners {
  private readonly listeners: RefUpdateListener[] = [];

  /** In web processes and workers alike: the worker records what a dead process left. */
  add(listener: RefUpdateListener): void {
    this.listeners.push(listener);
  }

  /** The reactions of all listeners, in the order in which these were added. */
  async prepare(
    write: RecordedWrite,
    updates: readonly RefCommand[],
  ): Promise<readonly UpdateReaction[]> {
    const reactions = await Promise.all(
      this.listeners.map((listener) => listener.prepare(write, updates)),
    );
    return reactions.filter((reaction) => reaction !== null);
  }
}
