import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Viewer } from '../core/access/auth-context.js';
import type { RefCommand } from './inflight-write.entity.js';
import type { WriteRequest } from './write-lease.service.js';

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

/** Notifies features above of pushes, commits and merges. */
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

/** A recorded push to a project with options (`git push -o`). */
export interface PushWithOptions {
  projectId: number;
  viewer: Viewer;
  ip: string | null;
  userAgent: string;
  /** As sent by the client: `key` or `key=value`, including unknown keys. */
  options: readonly string[];
  updates: readonly RefCommand[];
}

export interface PushOptionsListener {
  /** Applies the options and returns lines for the client's terminal. */
  follow(push: PushWithOptions): Promise<readonly string[]>;
}

/** Dispatches push options to the features that handle them. */
@Injectable()
export class PushOptionsListeners {
  private readonly listeners: PushOptionsListener[] = [];

  add(listener: PushOptionsListener): void {
    this.listeners.push(listener);
  }

  /** Calls the listeners one after another, in registration order. */
  async follow(push: PushWithOptions): Promise<string[]> {
    const lines: string[] = [];
    for (const listener of this.listeners) lines.push(...(await listener.follow(push)));
    return lines;
  }
}
