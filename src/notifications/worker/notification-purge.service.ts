import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { inBatches } from '../../core/durable-work/in-batches.js';
import type { IsStopping } from '../../core/durable-work/periodic-task.js';
import { RunEvery } from '../../core/durable-work/run-every.decorator.js';
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
