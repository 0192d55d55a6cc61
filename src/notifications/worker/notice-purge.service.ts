import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import type { IsStopping } from '../../core/queue/periodic-task.js';
import { NotificationMailsRepository, PURGE_BATCH } from '../notification-mails.repository.js';

const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

/** Deletes old notices. */
@Injectable()
export class NoticePurge {
  constructor(
    private readonly notices: NotificationMailsRepository,
    private readonly clock: Clock,
  ) {}

  /** Deletes notices older than 30 days unless queued emails need them; returns their number. */
  async run(isStopping: IsStopping): Promise<number> {
    const before = new Date(this.clock.now().getTime() - KEPT_DAYS * DAY_MS);
    await this.notices.purgeDueRuns(before);
    let [total, count] = [0, PURGE_BATCH];
    while (count === PURGE_BATCH && !isStopping()) {
      count = await this.notices.purgeNotices(before);
      total += count;
    }
    return total;
  }
}
