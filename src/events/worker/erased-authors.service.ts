import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { Sql, type TransactionRows } from '../../core/sql/sql.service.js';

/** Events of one transaction. */
const BATCH = 10_000;

/**
 * What was under way when the user was deleted may still record an event: the author is looked at
 * again for this long.
 */
const WATCHED_MS = 3_600_000;

const WAITING_SQL = 'SELECT author_id AS "authorId" FROM erased_authors ORDER BY author_id';

/** Another worker may have the author, or be done. */
const CLAIM_SQL = `
  SELECT created_at AS "createdAt" FROM erased_authors WHERE author_id = $1
  FOR UPDATE SKIP LOCKED`;

/** The last event of the oldest ones that make a batch. */
const LAST_SQL = `
  SELECT created_at AS "createdAt", id FROM events WHERE author_id = $1
  ORDER BY created_at, id OFFSET ${BATCH - 1} LIMIT 1`;

/** By its time as well, which keeps the other months out of it. */
const ERASE_SQL = `
  WITH gone AS (DELETE FROM events WHERE author_id = $1
    AND created_at <= $2::timestamptz AND (created_at, id) <= ($2::timestamptz, $3::bigint)
    RETURNING 1)
  SELECT count(*)::int AS count FROM gone`;

const FINISH_SQL = 'DELETE FROM erased_authors WHERE author_id = $1';

interface EventPlace {
  createdAt: Date | string;
  id: number;
}

const BEYOND_ALL: EventPlace = { createdAt: 'infinity', id: 0 };

/**
 * Erases the events of deleted users. Each batch is a transaction, so that whoever is killed in
 * between has the rest to do; several workers take different authors.
 */
@Injectable()
export class ErasedAuthors {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** One round; answers how many events it erased. */
  async run(isStopping: () => boolean): Promise<number> {
    let count = 0;
    for (const { authorId } of await this.sql.rows<{ authorId: number }>(WAITING_SQL)) {
      let erased = BATCH;
      while (erased === BATCH && !isStopping()) {
        erased = await this.sql.transaction((rows) => this.eraseSome(rows, authorId));
        count += erased;
      }
    }
    return count;
  }

  private async eraseSome(rows: TransactionRows, authorId: number): Promise<number> {
    const [claimed] = await rows<{ createdAt: Date }>(CLAIM_SQL, [authorId]);
    if (claimed === undefined) return 0;
    const [last = BEYOND_ALL] = await rows<EventPlace>(LAST_SQL, [authorId]);
    const [erased] = await rows<{ count: number }>(ERASE_SQL, [authorId, last.createdAt, last.id]);
    const count = erased?.count ?? 0;
    const watchedUntil = claimed.createdAt.getTime() + WATCHED_MS;
    const isOver = watchedUntil < this.clock.now().getTime();
    if (count < BATCH && isOver) await rows(FINISH_SQL, [authorId]);
    return count;
  }
}
