import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import type { IsStopping } from '../../core/durable-work/periodic-task.js';
import { ErrorOutcomesRepository } from '../error-outcomes.repository.js';
import { ErrorStatisticsRepository } from '../error-statistics.repository.js';
import { ErrorGroupsRepository } from '../errors/error-groups.repository.js';
import { utcDay } from '../error-values.js';

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
