import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { RunEvery, type IsStopping } from '../../core/durable-work/periodic-task.js';
import { DELETION_BATCH, EventRetentionRepository } from './event-retention.repository.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';

const DAY_MS = 86_400_000;

/** Retention of events (setting `event_retention_days`). */
@Injectable()
export class EventAge {
  constructor(
    private readonly clock: Clock,
    private readonly settings: InstanceSettings,
  ) {}

  /**
   * Returns the start of the retention: whole days (UTC), and one more than the setting, so that
   * three years are complete even with a leap day among them.
   */
  oldestKept(): Date {
    const { event_retention_days: days } = this.settings.values;
    const today = Math.floor(this.clock.now().getTime() / DAY_MS);
    return new Date((today - days - 1) * DAY_MS);
  }
}

/** The outcome of a run, or its forecast. */
export interface Pruned {
  /** The events from this time on are kept. */
  before: Date;
  /** Names of the partitions that were dropped with all their events. */
  partitions: string[];
  /** Of partitions that stay; in a forecast of all. */
  events: number;
  /** False when something is left for the next round. */
  isComplete: boolean;
}

/** When a round has to end though there is more to do. */
interface Bounds {
  isStopping: () => boolean;
  budgetMs?: number;
}

/** Removes events that are older than the instance keeps them. */
@Injectable()
export class EventPruning {
  constructor(
    private readonly events: EventRetentionRepository,
    private readonly clock: Clock,
    private readonly age: EventAge,
  ) {}

  /**
   * Drops whole months and deletes the rest in batches. A month that stays busy waits until the
   * next round. Several workers can do so concurrently.
   */
  async run({ isStopping, budgetMs = Infinity }: Bounds): Promise<Pruned> {
    const end = this.clock.now().getTime() + budgetMs;
    const mustEnd = (): boolean => isStopping() || this.clock.now().getTime() >= end;
    const before = this.age.oldestKept();
    const old = await this.events.partitionsBefore(before);
    const dropped: string[] = [];
    for (const name of old) {
      if (!mustEnd() && (await this.events.dropPartition(name))) dropped.push(name);
    }
    const begun = await this.deleteAll(
      (afterId) => this.events.deleteBatch({ from: beginningOfMonth(before), before, afterId }),
      mustEnd,
    );
    const rest = await this.deleteAll(
      (afterId) => this.events.deleteBatchOfDefault({ from: '-infinity', before, afterId }),
      mustEnd,
    );
    const isComplete = dropped.length === old.length && begun.isComplete && rest.isComplete;
    return { before, partitions: dropped, events: begun.count + rest.count, isComplete };
  }

  /** Returns the counts that `run` would remove now. */
  async forecast(): Promise<Pruned> {
    const before = this.age.oldestKept();
    const partitions = await this.events.partitionsBefore(before);
    return { before, partitions, events: await this.events.countBefore(before), isComplete: true };
  }

  private async deleteAll(
    deleteBatch: (afterId: number) => Promise<{ id: number }[]>,
    mustEnd: () => boolean,
  ): Promise<{ count: number; isComplete: boolean }> {
    let [count, last, deleted] = [0, 0, DELETION_BATCH];
    while (deleted === DELETION_BATCH) {
      if (mustEnd()) return { count, isComplete: false };
      const rows = await deleteBatch(last);
      deleted = rows.length;
      count += deleted;
      last = rows.reduce((highest, { id }) => Math.max(highest, id), last);
    }
    return { count, isComplete: true };
  }
}

function beginningOfMonth(time: Date): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), 1));
}

/** Creates the monthly partitions of the table of events ahead of time. */
@Injectable()
export class EventPartitions {
  constructor(
    private readonly events: EventRetentionRepository,
    private readonly clock: Clock,
    private readonly age: EventAge,
  ) {}

  /**
   * Creates the missing partitions and returns their months; several workers can do so at once.
   * Throws when the default partition stays busy.
   */
  async ensure(): Promise<string[]> {
    const period = { oldest: this.age.oldestKept(), now: this.clock.now() };
    const months = await this.events.missingMonths(period);
    for (const month of months) await this.events.ensurePartition(month);
    return months;
  }
}

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
