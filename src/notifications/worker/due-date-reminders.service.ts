import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { RunEvery } from '../../core/durable-work/run-every.decorator.js';
import { NotificationMailsRepository } from '../notification-mails.repository.js';

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
