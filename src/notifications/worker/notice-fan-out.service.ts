import { Injectable, Logger } from '@nestjs/common';
import { NOTICE_TARGETS } from '../../activity/notice-kinds.js';
import { Clock } from '../../core/clock.js';
import { JobQueue } from '../../core/durable-work/job-queue.service.js';
import type { IsStopping } from '../../core/durable-work/periodic-task.js';
import { QUEUES } from '../../core/durable-work/queues.js';
import { RunEvery } from '../../core/durable-work/run-every.decorator.js';
import {
  DUE_BATCH,
  NotificationMailsRepository,
  type DueNotice,
} from '../notification-mails.repository.js';
import { CommitAuthors } from './commit-authors.service.js';

/**
 * Writes the emails about notices. Each notice is one statement, so that a killed worker leaves none
 * half done, and several workers write the emails of each once.
 */
@Injectable()
export class NoticeFanOut {
  private readonly logger = new Logger(NoticeFanOut.name);

  constructor(
    private readonly notices: NotificationMailsRepository,
    private readonly clock: Clock,
    private readonly jobs: JobQueue,
    private readonly authors: CommitAuthors,
  ) {}

  /** Continues until no notice is due or `isStopping` returns true; failed ones are retried later. */
  @RunEvery({ ms: 5_000, queue: QUEUES.notices, failureMessage: 'Writing mails failed' })
  async writeDue(isStopping: IsStopping): Promise<void> {
    let due: DueNotice[];
    do {
      due = await this.notices.dueNotices(this.clock.now());
      for (const notice of due) {
        if (isStopping()) return;
        await this.write(notice);
      }
    } while (due.length === DUE_BATCH);
  }

  private async write(notice: DueNotice): Promise<void> {
    try {
      const now = this.clock.now();
      const mails = await this.notices.writeMails(notice, {
        now,
        author: await this.authorOf(notice),
      });
      if (mails > 0) this.jobs.notify(QUEUES.mails);
    } catch (error) {
      this.logger.error(`The mails about notice ${notice.id} were not written: ${String(error)}`);
      await this.notices.postpone(notice.id, this.clock.now());
    }
  }

  /** The address of a commit's author as one more value of statements about commits. */
  private async authorOf(notice: DueNotice): Promise<(string | null)[]> {
    const { targetType, projectId, sha } = notice;
    if (targetType !== NOTICE_TARGETS.commit) return [];
    return [sha === null ? null : await this.authors.addressOf(projectId, sha)];
  }
}
