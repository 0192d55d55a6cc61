import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { isBusy, withLockRetry } from '../../core/sql/lock-retry.js';
import { Sql } from '../../core/sql/sql.service.js';
import { ErrorEventsRepository, type DayOfTable } from '../events/error-events.repository.js';

/** The partitions of stored events and of ids of events: one a day, and one for what has no day. */
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

  /** With all that is in it. Returns false when the table stays busy. */
  async drop(partition: DayOfTable): Promise<boolean> {
    try {
      await withLockRetry(this.sql, (rows) => this.events.dropPartition(rows, partition));
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  }
}
