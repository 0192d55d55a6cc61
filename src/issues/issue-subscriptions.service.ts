import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Viewer } from '../core/access/viewer.js';
import { setSubscription } from '../subscriptions/subscriptions.js';
import type { FoundIssue } from './issue-row.js';
import { IssuesFinder } from './issues-finder.service.js';

/** An issue by its number in a project, and who is asking. */
interface AskedIssue {
  viewer: Viewer;
  projectId: number;
  iid: number;
}

/** Whether people get the mails of issues. */
@Injectable()
export class IssueSubscriptions {
  constructor(
    private readonly dataSource: DataSource,
    private readonly finder: IssuesFinder,
  ) {}

  /**
   * Answers the issue after the change, null when there is nothing to change; 404 for an issue that
   * is unknown or that the asker may not see.
   */
  async set({ viewer, projectId, iid }: AskedIssue, wanted: boolean): Promise<FoundIssue | null> {
    const { id, subscribed } = await this.finder.find(viewer, projectId, iid);
    if (!subscribed && !wanted) return null;
    const wish = { userId: viewer.id, thread: { kind: 'issue', id }, subscribed: wanted } as const;
    // Stored for participants as well, so that later level changes do not unsubscribe them.
    await setSubscription(this.dataSource.manager, wish);
    return subscribed === wanted ? null : this.finder.find(viewer, projectId, iid);
  }
}
