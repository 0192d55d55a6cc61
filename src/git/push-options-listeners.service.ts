import { Injectable } from '@nestjs/common';
import type { Viewer } from '../core/access/viewer.js';
import type { RefCommand } from './inflight-write.entity.js';

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
