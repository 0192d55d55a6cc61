import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { RunEvery, type IsStopping } from '../../core/durable-work/periodic-task.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { isBusy, withLockRetry } from '../../core/sql/lock-retry.js';
import { Sql } from '../../core/sql/sql.service.js';
import { ErrorOutcomesRepository } from '../error-outcomes.repository.js';
import { ErrorStatisticsRepository } from '../error-statistics.repository.js';
import { ErrorGroupsRepository } from '../errors/error-groups.repository.js';
import { utcDay } from '../error-values.js';
import { ErrorEventsRepository, type DayOfTable } from '../events/error-events.repository.js';

/** Days that duplicates are detected for, besides the current one. */
const KEPT_ID_DAYS = 3;

/** The daily partitions of stored events and of event IDs, and their default partitions. */
@Injectable()
export class ErrorPartitions {
  constructor(
    private readonly sql: Sql,
    private readonly events: ErrorEventsRepository,
    private readonly clock: Clock,
    private readonly settings: InstanceSettings,
  ) {}

  /**
   * Creates the missing partitions, each in a transaction of its own, and returns them. Rows that
   * waited in a default partition move along. Several workers can do so concurrently. Throws when a
   * table stays busy.
   */
  async ensure(): Promise<DayOfTable[]> {
    const usualDays = this.settings.values.error_tracking_retention_days;
    const missing = await this.events.listMissingPartitions(this.clock.now(), usualDays);
    for (const partition of missing) {
      await withLockRetry(this.sql, (rows) => this.events.ensurePartition(rows, partition));
    }
    return missing;
  }

  /**
   * Drops the partitions of past days, except kept events, and returns them. A partition that stays
   * busy waits until the next run. Several workers can do so concurrently.
   */
  async prune(isStopping: IsStopping): Promise<DayOfTable[]> {
    const now = this.clock.now();
    const dropped: DayOfTable[] = [];
    for (const day of await this.events.listPartitions('error_events', utcDay(now))) {
      const isReady = !isStopping() && (await this.keepEnds(day, isStopping));
      if (isReady) dropped.push(...(await this.drop({ table: 'error_events', day })));
    }
    const firstIdDay = utcDay(now, -KEPT_ID_DAYS);
    for (const day of await this.events.listPartitions('error_event_ids', firstIdDay)) {
      if (!isStopping()) dropped.push(...(await this.drop({ table: 'error_event_ids', day })));
    }
    return dropped;
  }

  /**
   * Keeps the first and the newest event of each error among those that expire on the day. Returns
   * false when it had to stop early. Can be repeated, also by several workers concurrently.
   */
  async keepEnds(day: string, isStopping: IsStopping): Promise<boolean> {
    let last: number | null = 0;
    while (last !== null) {
      if (isStopping()) return false;
      last = await this.keepChunk(day, last);
    }
    return true;
  }

  /** Returns the last error it looked at, or null when there was none. */
  private keepChunk(day: string, after: number): Promise<number | null> {
    return this.sql.transaction(
      async (rows) => {
        const found = await this.events.listEnds(rows, day, after);
        if (found.length === 0) return null;
        const ends = found.flatMap((error) => error.ends);
        const errorIds = found.map(({ errorId }) => errorId);
        const kept = await this.events.keep(rows, day, ends);
        if (kept > 0) await this.events.deleteReleased(rows, errorIds, ends);
        return Math.max(...errorIds);
      },
      { avoidsScans: true },
    );
  }

  /** Returns the dropped partition, or nothing when its table stays busy. */
  private async drop(partition: DayOfTable): Promise<DayOfTable[]> {
    try {
      await withLockRetry(this.sql, (rows) => this.events.dropPartition(rows, partition));
      return [partition];
    } catch (error) {
      if (isBusy(error)) return [];
      throw error;
    }
  }
}

const DAY_MS = 86_400_000;

/** Retention of trends, outcomes and unseen errors in days. */
const TREND_DAYS = 90;
const OUTCOME_DAYS = 400;
const UNSEEN_DAYS = 365;

/** Number of deleted rows. */
interface RemovedRows {
  trends: number;
  outcomes: number;
  errors: number;
}

/** Deletes expired counters, and errors without events or comments for a year. */
@Injectable()
export class ErrorRetention {
  constructor(
    private readonly errors: ErrorGroupsRepository,
    private readonly statistics: ErrorStatisticsRepository,
    private readonly outcomes: ErrorOutcomesRepository,
    private readonly clock: Clock,
  ) {}

  /** Reads whole tables: once a day is enough. Several workers can do so concurrently. */
  async run(isStopping: IsStopping): Promise<RemovedRows> {
    const outcomesBefore = utcDay(this.clock.now(), -OUTCOME_DAYS);
    const unseenSince = this.before(UNSEEN_DAYS);
    return {
      trends: await this.removeTrends(isStopping),
      outcomes: await removeAll(() => this.outcomes.deleteOld(outcomesBefore), isStopping),
      errors: await removeAll(() => this.errors.deleteUnseen(unseenSince), isStopping),
    };
  }

  private async removeTrends(isStopping: IsStopping): Promise<number> {
    const before = this.before(TREND_DAYS);
    let [count, from] = [0, 0];
    for (;;) {
      const last = await this.errors.findLastOfChunk(from);
      if (last === null || isStopping()) return count;
      count += await this.statistics.deleteTrends({ from, last }, before);
      from = last;
    }
  }

  private before(days: number): Date {
    return new Date(this.clock.now().getTime() - days * DAY_MS);
  }
}

async function removeAll(remove: () => Promise<number>, isStopping: IsStopping): Promise<number> {
  let count = 0;
  for (;;) {
    const removed = isStopping() ? 0 : await remove();
    if (removed === 0) return count;
    count += removed;
  }
}

/** Maintains the tables of errors: partitions for the next days, no rows that are too old. */
@Injectable()
export class ErrorMaintenance {
  private readonly logger = new Logger(ErrorMaintenance.name);
  private cleanedDay = '';

  constructor(
    private readonly clock: Clock,
    private readonly partitions: ErrorPartitions,
    private readonly retention: ErrorRetention,
    private readonly errors: ErrorGroupsRepository,
  ) {}

  /** Creates partitions, so that few events wait for one. */
  @RunEvery({ ms: 60_000 })
  async makePartitions(): Promise<void> {
    const made = await this.partitions.ensure();
    if (made.length > 0) this.logger.log(`Made partitions: ${made.map(nameOf).join(', ')}`);
  }

  /** Reopens errors that were ignored until now. */
  @RunEvery({ ms: 60_000 })
  async endIgnores(isStopping: IsStopping): Promise<void> {
    let ended = 1;
    while (ended > 0 && !isStopping()) ended = await this.errors.endIgnores(this.clock.now());
  }

  /** Drops past days, and once a day what else is too old. */
  @RunEvery({ ms: 3_600_000 })
  async removeOld(isStopping: IsStopping): Promise<void> {
    const dropped = await this.partitions.prune(isStopping);
    if (dropped.length > 0) this.logger.log(`Dropped past days: ${dropped.map(nameOf).join(', ')}`);
    const today = utcDay(this.clock.now());
    if (this.cleanedDay === today) return;
    const { trends, outcomes, errors } = await this.retention.run(isStopping);
    this.cleanedDay = today;
    if (trends + outcomes + errors === 0) return;
    const counts = `${errors} errors, ${trends} hours, ${outcomes} counters of outcomes`;
    this.logger.log(`Deleted what was too old: ${counts}`);
  }
}

function nameOf({ table, day }: { table: string; day: string }): string {
  return `${table} ${day}`;
}
