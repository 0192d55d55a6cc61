import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { PeriodicTask, type IsStopping } from '../../core/queue/periodic-task.js';
import { ErasedAuthors } from './erased-authors.service.js';
import { EventPartitions } from './event-partitions.service.js';
import { EventPruning } from './event-pruning.service.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Deleting goes on for this long in one round. */
const PRUNING_MS = 600_000;

/**
 * Periodic tasks of events, also run when the worker starts: each hour creates partitions and
 * deletes expired events, each minute erases events of deleted users.
 */
@Injectable()
export class EventRounds implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(EventRounds.name);
  private readonly hourly = new PeriodicTask(HOUR_MS, (isStopping) => this.keepHouse(isStopping), {
    logger: this.logger,
  });
  private readonly minutely = new PeriodicTask(MINUTE_MS, (isStopping) => this.erase(isStopping), {
    logger: this.logger,
  });

  constructor(
    private readonly partitions: EventPartitions,
    private readonly pruning: EventPruning,
    private readonly erasedAuthors: ErasedAuthors,
  ) {}

  onApplicationBootstrap(): void {
    this.hourly.start();
    this.minutely.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.hourly.stop(), this.minutely.stop()]);
  }

  private async keepHouse(isStopping: IsStopping): Promise<void> {
    await this.makePartitions();
    const pruned = await this.pruning.run({ isStopping, budgetMs: PRUNING_MS });
    const { partitions, events, isComplete } = pruned;
    if (partitions.length > 0) this.logger.log(`Dropped old months: ${partitions.join(', ')}`);
    if (events > 0) this.logger.log(`Deleted old events: ${events}`);
    if (!isComplete && !isStopping()) this.logger.warn('Old events are left for the next round');
  }

  /** Without a partition events are recorded all the same: what is old goes in any case. */
  private async makePartitions(): Promise<void> {
    try {
      const made = await this.partitions.ensure();
      if (made.length > 0) this.logger.log(`Made partitions for ${made.join(', ')}`);
    } catch (error) {
      this.logger.error(`Partitions were not made: ${String(error)}`);
    }
  }

  private async erase(isStopping: IsStopping): Promise<void> {
    const count = await this.erasedAuthors.run(isStopping);
    if (count > 0) this.logger.log(`Erased events of deleted users: ${count}`);
  }
}
