import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { PeriodicTask, type IsStopping } from '../../core/queue/periodic-task.js';
import { OAuthAccessGrantsRepository } from '../oauth-access-grants.repository.js';
import { OAuthTokensRepository } from '../oauth-tokens.repository.js';

const ROUND_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** How long it can be told that a code or a refresh token comes back after its end. */
const KEPT_DAYS = 30;

/** Deletes OAuth tokens and codes a month after their end; otherwise they would pile up for ever. */
@Injectable()
export class OAuthJanitor implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(OAuthJanitor.name);
  private readonly rounds = new PeriodicTask(ROUND_MS, (isStopping) => this.run(isStopping), {
    logger: this.logger,
    failureMessage: 'Ended OAuth tokens stay',
    level: 'warn',
  });

  constructor(
    private readonly tokens: OAuthTokensRepository,
    private readonly grants: OAuthAccessGrantsRepository,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  /** One round; runs every hour by itself. */
  async run(isStopping: IsStopping = () => false): Promise<void> {
    const before = new Date(this.clock.now().getTime() - KEPT_DAYS * DAY_MS);
    for (const repository of [this.tokens, this.grants]) {
      let hasMore = true;
      while (hasMore && !isStopping()) hasMore = await repository.deleteEnded(before);
    }
  }
}
