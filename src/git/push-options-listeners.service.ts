import { Injectable } from '@nestjs/common';
import type { Viewer } from '../core/access/viewer.js';
import type { RefCommand } from './inflight-write.entity.js';

/** A push to a project with options (`git push -o`), once its updates are on record. */
export interface PushWithOptions {
  projectId: number;
  viewer: Viewer;
  /** As the client wrote them: `key` or `key=value`, known or not. */
  options: readonly string[];
  updates: readonly RefCommand[];
}

export interface PushOptionsListener {
  /** Does what the options say; answers lines for the person who pushes. */
  follow(push: PushWithOptions): Promise<readonly string[]>;
}

/** Lets features above follow the options of pushes. */
@Injectable()
export class PushOptionsListeners {
  private readonly listeners: PushOptionsListener[] = [];

  add(listener: PushOptionsListener): void {
    this.listeners.push(listener);
  }

  /** One listener after the other, in the order in which they were added. */
  async follow(push: PushWithOptions): Promise<string[]> {
    const lines: string[] = [];
    for (const listener of this.listeners) lines.push(...(await listener.follow(push)));
    return lines;
  }
}
