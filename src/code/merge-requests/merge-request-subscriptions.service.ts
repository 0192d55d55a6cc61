import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../core/access/viewer.js';
import { SubscriptionsRepository } from '../../workspace/subscriptions/subscriptions.repository.js';
import { MergeRequestsRepository } from './merge-requests.repository.js';

/** A merge request by its number in a project, and its viewer. */
interface ViewedMergeRequest {
  viewer: Viewer;
  projectId: number;
  iid: number;
}

/** Subscribes users to merge requests and unsubscribes them. */
@Injectable()
export class MergeRequestSubscriptions {
  constructor(
    private readonly requests: MergeRequestsRepository,
    private readonly subscriptions: SubscriptionsRepository,
  ) {}

  /**
   * Returns false when there is nothing to change; throws NotFoundError for a merge request that is
   * unknown or hidden from the viewer.
   */
  async set({ viewer, projectId, iid }: ViewedMergeRequest, wanted: boolean): Promise<boolean> {
    const { id, subscribed } = await this.requests.findVisible(viewer, projectId, iid);
    if (!subscribed && !wanted) return false;
    const thread = { kind: 'merge_request', id } as const;
    // Stored for participants as well, so that later level changes do not unsubscribe them.
    await this.subscriptions.put(this.subscriptions.manager, {
      userId: viewer.id,
      thread,
      subscribed: wanted,
    });
    return subscribed !== wanted;
  }
}
