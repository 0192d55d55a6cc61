import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { RunEvery } from '../../core/durable-work/periodic-task.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { SessionsRepository } from '../auth/sessions/sessions.repository.js';
import { MailLinksRepository } from './mail-links.repository.js';

/** Deletes expired sessions and emailed links. */
@Injectable()
export class AccountJanitor {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly links: MailLinksRepository,
    private readonly clock: Clock,
    private readonly settings: InstanceSettings,
  ) {}

  /** Deletes what has ended. */
  @RunEvery({ ms: 600_000, failureMessage: 'Ended sessions stay', level: 'warn' })
  async run(): Promise<void> {
    const now = this.clock.now();
    const { session_expire_delay: minutes, remember_me_days: days } = this.settings.values;
    const remembered = Math.max(minutes, days * 1_440);
    await this.sessions.deleteEnded(now, { usual: minutes, remembered });
    await this.links.deleteExpired(now);
  }
}
