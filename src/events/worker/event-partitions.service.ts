import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { EventAge } from './event-age.service.js';
import { EventRetentionRepository } from './event-retention.repository.js';

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
