import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { inBatches, RunEvery, type IsStopping } from '../../core/durable-work/periodic-task.js';
import { NotificationMailsRepository, PURGE_BATCH } from '../notification-mails.repository.js';

const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;

/** Deletes old notifications. */
@Injectable()
export class NotificationPurge {
  constructor(
    private readonly notifications: NotificationMailsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Deletes notifications older than 30 days unless queued emails need them; returns their number.
   */
  @RunEvery({ ms: 3_600_000, countMessage: 'Deleted old notifications' })
  async run(isStopping: IsStopping): Promise<number> {
    const before = new Date(this.clock.now().getTime() - KEPT_DAYS * DAY_MS);
    await this.notifications.purgeDueDateReminders(before);
    return inBatches(PURGE_BATCH, isStopping, () => this.notifications.purgeNotifications(before));
  }
}

/** Earliest minute of the day (UTC). */
const FROM_MINUTE = 50;

/** Records notifications once a day about open issues that are due on the next one (UTC). */
@Injectable()
export class DueDateReminders {
  constructor(
    private readonly notifications: NotificationMailsRepository,
    private readonly clock: Clock,
  ) {}

  /** Returns the number of issues; none before 00:50 and when it is done for today. */
  @RunEvery({ ms: 60_000, countMessage: 'Told of issues that are due tomorrow' })
  async tell(): Promise<number> {
    const now = this.clock.now();
    if (now.getUTCHours() * 60 + now.getUTCMinutes() < FROM_MINUTE) return 0;
    return this.notifications.recordDueDateReminders(now.toISOString().slice(0, 10));
  }
}
