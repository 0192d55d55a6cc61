import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { SessionsRepository } from '../../auth/sessions/sessions.repository.js';
import { Clock } from '../../core/clock.js';
import { PeriodicTask } from '../../core/queue/periodic-task.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { MailLinksRepository } from '../mail-links.repository.js';

const ROUND_MS = 600_000;

/** Deletes the rows of sessions and mailed links that have ended by themselves. */
@Injectable()
export class AccountJanitor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(AccountJanitor.name);
  private readonly rounds = new PeriodicTask(ROUND_MS, () => this.run(), {
    logger: this.logger,
    failureMessage: 'Ended sessions stay',
    level: 'warn',
  });

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly links: MailLinksRepository,
    private readonly clock: Clock,
    private readonly settings: InstanceSettings,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  /** One round; runs every ten minutes by itself. */
  async run(): Promise<void> {
    const now = this.clock.now();
    const { session_expire_delay: minutes, remember_me_days: days } = this.settings.values;
    const remembered = Math.max(minutes, days * 1_440);
    await this.sessions.deleteEnded(now, { usual: minutes, remembered });
    await this.links.deleteExpired(now);
  }
}
