import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { inBatches, RunEvery, type IsStopping } from '../../core/durable-work/periodic-task.js';
import { Sql, type TransactionRows } from '../../core/sql/sql.service.js';
import {
  AnonymizedAuthorsRepository,
  ERASURE_BATCH,
  type EventPosition,
} from './anonymized-authors.repository.js';

/**
 * Transactions that were running when the user was deleted can still record events: the author is
 * checked again for this long.
 */
const WATCHED_MS = 3_600_000;

const BEYOND_ALL: EventPosition = { createdAt: 'infinity', id: 0 };

/**
 * Erases the events of deleted users. Each batch is a transaction, so that a killed worker repeats
 * at most one; several workers take different authors.
 */
@Injectable()
export class AnonymizedAuthors {
  constructor(
    private readonly sql: Sql,
    private readonly authors: AnonymizedAuthorsRepository,
    private readonly clock: Clock,
  ) {}

  /** Erases batches until nothing is left; returns the number of events. */
  @RunEvery({ ms: 60_000, countMessage: 'Erased events of deleted users' })
  async run(isStopping: IsStopping): Promise<number> {
    let count = 0;
    for (const authorId of await this.authors.pendingIds()) {
      count += await inBatches(ERASURE_BATCH, isStopping, () =>
        this.sql.transaction((rows) => this.eraseSome(rows, authorId)),
      );
    }
    return count;
  }

  private async eraseSome(rows: TransactionRows, authorId: number): Promise<number> {
    const author = await this.authors.lock(rows, authorId);
    if (author === null) return 0;
    const end = (await this.authors.findBatchEnd(rows, authorId)) ?? BEYOND_ALL;
    const count = await this.authors.eraseEvents(rows, authorId, end);
    const watchedUntil = author.createdAt.getTime() + WATCHED_MS;
    const isOver = watchedUntil < this.clock.now().getTime();
    if (count < ERASURE_BATCH && isOver) await this.authors.finish(rows, authorId);
    return count;
  }
}
