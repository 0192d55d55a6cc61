import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../core/access/viewer.js';
import { SubscriptionsRepository } from '../subscriptions/subscriptions.repository.js';
import type { FoundIssue } from './sql/issue-columns.js';
import { IssuesRepository } from './issues.repository.js';

/** An issue by its number in a project, and its viewer. */
interface ViewedIssue {
  viewer: Viewer;
  projectId: number;
  iid: number;
}

/** Subscribes users to issues and unsubscribes them. */
@Injectable()
export class IssueSubscriptions {
  constructor(
    private readonly issues: IssuesRepository,
    private readonly subscriptions: SubscriptionsRepository,
  ) {}

  /**
   * Returns the issue after the change, null when there is nothing to change; throws NotFoundError
   * for an issue that is unknown or hidden from the viewer.
   */
  async set({ viewer, projectId, iid }: ViewedIssue, wanted: boolean): Promise<FoundIssue | null> {
    const { id, subscribed } = await this.issues.findVisible(viewer, projectId, iid);
    if (!subscribed && !wanted) return null;
    const thread = { kind: 'issue', id } as const;
    const change = { userId: viewer.id, thread, subscribed: wanted };
    // Stored for participants as well, so that later level changes do not unsubscribe them.
    await this.subscriptions.put(this.subscriptions.manager, change);
    return subscribed === wanted ? null : this.issues.findVisible(viewer, projectId, iid);
  }
}
