import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Viewer } from '../core/access/viewer.js';
import { setSubscription } from '../subscriptions/subscriptions.js';
import { MergeRequestsFinder } from './merge-requests-finder.service.js';

/** A merge request by its number in a project, and who is asking. */
interface AskedMergeRequest {
  viewer: Viewer;
  projectId: number;
  iid: number;
}

/** Whether people get the mails of merge requests. */
@Injectable()
export class MergeRequestSubscriptions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: MergeRequestsFinder,
  ) {}

  /**
   * Answers whether there was something to change; 404 for a merge request that is unknown or that
   * the asker may not see.
   */
  async set({ viewer, projectId, iid }: AskedMergeRequest, wanted: boolean): Promise<boolean> {
    const { id, subscribed } = await this.finder.find(viewer, projectId, iid);
    if (!subscribed && !wanted) return false;
    const thread = { kind: 'merge_request', id } as const;
    // Stored for participants as well, so that later level changes do not unsubscribe them.
    await setSubscription(this.dataSource.manager, {
      userId: viewer.id,
      thread,
      subscribed: wanted,
    });
    return subscribed !== wanted;
  }
}
