import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import type { IsStopping } from '../../core/durable-work/periodic-task.js';
import { ErrorEventsRepository, type DayOfTable } from '../events/error-events.repository.js';
import { utcDay } from '../ingest/utc-day.js';
import { ErrorPartitions } from './error-partitions.service.js';
import { EventSampling } from './event-sampling.service.js';

/** Days that duplicates are detected for, besides the current one. */
const KEPT_ID_DAYS = 3;

/** Removes stored events, and ids of events, when their day is over. */
@Injectable()
export class ErrorPruning {
  constructor(
    private readonly clock: Clock,
    private readonly events: ErrorEventsRepository,
    private readonly partitions: ErrorPartitions,
    private readonly kept: EventSampling,
  ) {}

  /**
   * Drops the partitions of past days, except kept events, and returns them. A partition that stays
   * busy waits until the next round. Several workers can do so concurrently.
   */
  async run(isStopping: IsStopping): Promise<DayOfTable[]> {
    const now = this.clock.now();
    const dropped: DayOfTable[] = [];
    for (const day of await this.events.listPartitions('error_events', utcDay(now))) {
      const isReady = !isStopping() && (await this.kept.keep(day, isStopping));
      if (isReady) dropped.push(...(await this.drop({ table: 'error_events', day })));
    }
    for (const day of await this.events.listPartitions(
      'error_event_ids',
      utcDay(now, -KEPT_ID_DAYS),
    )) {
      if (!isStopping()) dropped.push(...(await this.drop({ table: 'error_event_ids', day })));
    }
    return dropped;
  }

  private async drop(partition: DayOfTable): Promise<DayOfTable[]> {
    return (await this.partitions.drop(partition)) ? [partition] : [];
  }
}
