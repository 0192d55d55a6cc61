import { Injectable } from '@nestjs/common';
import type { IsStopping } from '../../core/queue/rounds.js';
import { Sql } from '../../core/sql/sql.service.js';

/** Errors of one transaction, so that none takes long. */
const CHUNK = 200;

/** The day of what does not expire. */
const NEVER = '9999-12-31';

/**
 * The errors after $2 that have events expiring on $1, each with its first and its newest event of
 * all days. The errors are found by skipping from one to the next in the index.
 */
const ENDS_SQL = `
  WITH RECURSIVE found AS (
    (SELECT error_id FROM error_events WHERE expires_on = $1 AND error_id > $2
     ORDER BY error_id LIMIT 1)
    UNION ALL
    SELECT (SELECT e.error_id FROM error_events e WHERE e.expires_on = $1
      AND e.error_id > found.error_id ORDER BY e.error_id LIMIT 1)
    FROM found WHERE found.error_id IS NOT NULL
  ), chunk AS (SELECT error_id FROM found WHERE error_id IS NOT NULL LIMIT ${CHUNK})
  SELECT c.error_id AS "errorId", ARRAY[
    (SELECT id FROM error_events WHERE error_id = c.error_id ORDER BY id LIMIT 1),
    (SELECT id FROM error_events WHERE error_id = c.error_id ORDER BY id DESC LIMIT 1)] AS ends
  FROM chunk c`;

/** To another partition: there is no moment in which an event is in both, or in none. */
const KEEP_SQL = `
  UPDATE error_events SET expires_on = '${NEVER}' WHERE expires_on = $1 AND id = ANY($2)
  RETURNING id`;

/** What was kept before and is neither the first nor the newest event any more. */
const RELEASE_SQL = `
  DELETE FROM error_events
  WHERE expires_on = '${NEVER}' AND error_id = ANY($1) AND id <> ALL($2)`;

interface Ends {
  errorId: number;
  ends: number[];
}

/** Keeps the first and the newest event of each error, however old they become. */
@Injectable()
export class KeptEvents {
  constructor(private readonly sql: Sql) {}

  /**
   * Takes what has to stay out of the events that expire on the day; answers false when it had to
   * stop before. May be done again, and by several workers at once.
   */
  async keep(day: string, isStopping: IsStopping): Promise<boolean> {
    let last: number | null = 0;
    while (last !== null) {
      if (isStopping()) return false;
      last = await this.keepChunk(day, last);
    }
    return true;
  }

  /** Answers the last error it looked at, or null when there was none. */
  private keepChunk(day: string, after: number): Promise<number | null> {
    return this.sql.transaction(
      async (rows) => {
        const found = await rows<Ends>(ENDS_SQL, [day, after]);
        if (found.length === 0) return null;
        const ends = found.flatMap((error) => error.ends);
        const errorIds = found.map(({ errorId }) => errorId);
        const kept = await rows(KEEP_SQL, [day, ends]);
        if (kept.length > 0) await rows(RELEASE_SQL, [errorIds, ends]);
        return Math.max(...errorIds);
      },
      { avoidsScans: true },
    );
  }
}
