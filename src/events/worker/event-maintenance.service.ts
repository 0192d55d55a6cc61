import { Injectable, Logger } from '@nestjs/common';
import { RunEvery, type IsStopping } from '../../core/durable-work/periodic-task.js';
import { EventPartitions, EventPruning } from './event-retention.service.js';

/** Deleting goes on for this long in one round. */
const PRUNING_MS = 600_000;

/** Maintains the table of events: partitions for the next months, no events that are too old. */
@Injectable()
export class EventMaintenance {
  private readonly logger = new Logger(EventMaintenance.name);

  constructor(
    private readonly partitions: EventPartitions,
    private readonly pruning: EventPruning,
  ) {}

  /** Creates partitions and deletes events that are too old. */
  @RunEvery({ ms: 3_600_000 })
  async run(isStopping: IsStopping): Promise<void> {
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
}
