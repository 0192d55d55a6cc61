import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import type { IsStopping } from '../../core/durable-work/periodic-task.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { isBusy, withLockRetry } from '../../core/sql/lock-retry.js';
import { Sql } from '../../core/sql/sql.service.js';
import { ErrorEventsRepository, type DayOfTable } from '../events/error-events.repository.js';
import { utcDay } from '../error-values.js';

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
