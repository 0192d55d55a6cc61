import { Injectable, Logger } from '@nestjs/common';
import { NOTIFICATION_TARGETS } from '../../core/activity/notifications.repository.js';
import { Clock } from '../../core/clock.js';
import { JobQueue } from '../../core/durable-work/job-queue.service.js';
import { RunEvery, type IsStopping } from '../../core/durable-work/periodic-task.js';
import { QUEUES } from '../../core/durable-work/queues.js';
import { readCommit } from '../../git/reading/commits.js';
import { RepositoryReader } from '../../git/reading/repository-reader.service.js';
import {
  DUE_BATCH,
  NotificationMailsRepository,
  type DueNotification,
} from '../notification-mails.repository.js';

/**
 * Writes the emails about notifications. Each notification is one statement, so that a killed
 * worker leaves none half done, and several workers write the emails of each once.
 */
@Injectable()
export class NotificationFanOut {
  private readonly logger = new Logger(NotificationFanOut.name);

  constructor(
    private readonly notifications: NotificationMailsRepository,
    private readonly clock: Clock,
    private readonly jobs: JobQueue,
    private readonly repositories: RepositoryReader,
  ) {}

  /**
   * Continues until no notification is due or `isStopping` returns true; failed ones are retried
   * later.
   */
  @RunEvery({ ms: 5_000, queue: QUEUES.notifications, failureMessage: 'Writing mails failed' })
  async writeDue(isStopping: IsStopping): Promise<void> {
    let due: DueNotification[];
    do {
      due = await this.notifications.dueNotifications(this.clock.now());
      for (const notification of due) {
        if (isStopping()) return;
        await this.write(notification);
      }
    } while (due.length === DUE_BATCH);
  }

  private async write(notification: DueNotification): Promise<void> {
    try {
      const now = this.clock.now();
      const mails = await this.notifications.writeMails(notification, {
        now,
        author: await this.authorOf(notification),
      });
      if (mails > 0) this.jobs.notify(QUEUES.mails);
    } catch (error) {
      this.logger.error(
        `The mails about notification ${notification.id} were not written: ${String(error)}`,
      );
      await this.notifications.postpone(notification.id, this.clock.now());
    }
  }

  /** The address of a commit's author as one more value of statements about commits. */
  private async authorOf(notification: DueNotification): Promise<(string | null)[]> {
    const { targetType, projectId, sha } = notification;
    if (targetType !== NOTIFICATION_TARGETS.commit) return [];
    return [sha === null ? null : await this.authorAddress(projectId, sha)];
  }

  /** Returns null for a commit that cannot be read: emails do not wait for a repository. */
  private async authorAddress(projectId: number, sha: string): Promise<string | null> {
    const address = { kind: 'project', containerId: projectId } as const;
    try {
      const commit = await this.repositories.read(address, (open) => readCommit(open, sha));
      return commit?.authorEmail ?? null;
    } catch (error) {
      this.logger.warn(`The author of ${sha} in project ${projectId} is unknown: ${String(error)}`);
      return null;
    }
  }
}
