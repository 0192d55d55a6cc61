import { Injectable } from '@nestjs/common';
import type { IsStopping } from '../../core/durable-work/periodic-task.js';
import { Sql } from '../../core/sql/sql.service.js';
import { ErrorEventsRepository } from '../events/error-events.repository.js';

/** Keeps the first and the newest event of each error, however old they become. */
@Injectable()
export class EventSampling {
  constructor(
    private readonly sql: Sql,
    private readonly events: ErrorEventsRepository,
  ) {}

  /**
   * Moves events that must be kept out of those that expire on the day; returns false when it had
   * to stop before. Can be repeated, also by several workers concurrently.
   */
  async keep(day: string, isStopping: IsStopping): Promise<boolean> {
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
}
