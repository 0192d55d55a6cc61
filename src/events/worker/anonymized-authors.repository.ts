import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import { AnonymizedAuthor } from '../../core/activity/event.entity.js';
import { Sql, type TransactionRows } from '../../core/sql/sql.service.js';

/** Events of one transaction. */
export const ERASURE_BATCH = 10_000;

const PENDING_SQL = 'SELECT author_id AS "authorId" FROM erased_authors ORDER BY author_id';

/** Skips an author that another worker has locked. */
const LOCK_SQL = `
  SELECT created_at AS "createdAt" FROM erased_authors WHERE author_id = $1
  FOR UPDATE SKIP LOCKED`;

/** The last event of the oldest ones that make a batch. */
const LAST_SQL = `
  SELECT created_at AS "createdAt", id FROM events WHERE author_id = $1
  ORDER BY created_at, id OFFSET ${ERASURE_BATCH - 1} LIMIT 1`;

/** Names the time as well, so that only partitions with such events are scanned. */
const ERASE_SQL = `
  WITH gone AS (DELETE FROM events WHERE author_id = $1
    AND created_at <= $2::timestamptz AND (created_at, id) <= ($2::timestamptz, $3::bigint)
    RETURNING 1)
  SELECT count(*)::int AS count FROM gone`;

const FINISH_SQL = 'DELETE FROM erased_authors WHERE author_id = $1';

/** The position of an event in the order of time. */
export interface EventPosition {
  createdAt: Date | string;
  id: number;
}

/** Owns every statement about deleted users whose events are still to be erased. */
@Injectable()
export class AnonymizedAuthorsRepository extends Repository<AnonymizedAuthor> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(AnonymizedAuthor, dataSource.manager);
  }

  /** Returns the ids of all authors that are not done. */
  async pendingIds(): Promise<number[]> {
    const rows = await this.queries.rows<{ authorId: number }>(PENDING_SQL);
    return rows.map(({ authorId }) => authorId);
  }

  /** Locks an author; returns null if another worker has locked it or is done with it. */
  async lock(rows: TransactionRows, authorId: number): Promise<{ createdAt: Date } | null> {
    const [author = null] = await rows<{ createdAt: Date }>(LOCK_SQL, [authorId]);
    return author;
  }

  /** Returns the last event of the author's oldest batch; null if there are fewer events. */
  async findBatchEnd(rows: TransactionRows, authorId: number): Promise<EventPosition | null> {
    const [last = null] = await rows<EventPosition>(LAST_SQL, [authorId]);
    return last;
  }

  /** Deletes the author's events up to a position and returns their number. */
  async eraseEvents(
    rows: TransactionRows,
    authorId: number,
    { createdAt, id }: EventPosition,
  ): Promise<number> {
    const [erased] = await rows<{ count: number }>(ERASE_SQL, [authorId, createdAt, id]);
    return erased?.count ?? 0;
  }

  /** Deletes the row of an author without events. */
  async finish(rows: TransactionRows, authorId: number): Promise<void> {
    await rows(FINISH_SQL, [authorId]);
  }
}
