import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { PeriodicTask, type IsStopping } from '../../core/queue/periodic-task.js';
import { utcDay } from '../ingest/utc-day.js';
import { ErrorPartitions } from './error-partitions.service.js';
import { ErrorPruning } from './error-pruning.service.js';
import { ErrorRetention } from './error-retention.service.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * Periodic tasks of error tracking, also run when the worker starts: each minute creates partitions
 * in advance, each hour drops expired days, each day deletes other expired data.
 */
@Injectable()
export class ErrorRounds implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ErrorRounds.name);
  private readonly minutely = new PeriodicTask(MINUTE_MS, () => this.makePartitions(), {
    logger: this.logger,
  });
  private readonly hourly = new PeriodicTask(HOUR_MS, (isStopping) => this.keepHouse(isStopping), {
    logger: this.logger,
  });
  private cleanedDay = '';

  constructor(
    private readonly clock: Clock,
    private readonly partitions: ErrorPartitions,
    private readonly pruning: ErrorPruning,
    private readonly oldErrors: ErrorRetention,
  ) {}

  onApplicationBootstrap(): void {
    this.minutely.start();
    this.hourly.start();
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.minutely.stop(), this.hourly.stop()]);
  }

  private async makePartitions(): Promise<void> {
    const made = await this.partitions.ensure();
    if (made.length > 0) this.logger.log(`Made partitions: ${made.map(nameOf).join(', ')}`);
  }

  private async keepHouse(isStopping: IsStopping): Promise<void> {
    const dropped = await this.pruning.run(isStopping);
    if (dropped.length > 0) this.logger.log(`Dropped past days: ${dropped.map(nameOf).join(', ')}`);
    const today = utcDay(this.clock.now());
    if (this.cleanedDay === today) return;
    const { trends, outcomes, errors } = await this.oldErrors.run(isStopping);
    this.cleanedDay = today;
    if (trends + outcomes + errors === 0) return;
    const counts = `${errors} errors, ${trends} hours, ${outcomes} counters of outcomes`;
    this.logger.log(`Deleted what was too old: ${counts}`);
  }
}

function nameOf({ table, day }: { table: string; day: string }): string {
  return `${table} ${day}`;
}
