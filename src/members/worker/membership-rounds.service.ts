import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { PeriodicTask, type IsStopping } from '../../core/queue/periodic-task.js';
import { ExpiredMemberships } from './expired-memberships.service.js';

const ROUND_MS = 3_600_000;

/** What is done about memberships by the clock: each hour, and when the worker starts. */
@Injectable()
export class MembershipRounds implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(MembershipRounds.name);
  private readonly rounds = new PeriodicTask(ROUND_MS, (isStopping) => this.run(isStopping), {
    logger: this.logger,
    failureMessage: 'Expired memberships stay',
  });

  constructor(private readonly expired: ExpiredMemberships) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  private async run(isStopping: IsStopping): Promise<void> {
    const count = await this.expired.run(isStopping);
    if (count > 0) this.logger.log(`Removed expired memberships: ${count}`);
  }
}
