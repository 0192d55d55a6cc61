import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { Sql } from '../../core/sql/sql.service.js';
import { EventAge } from './event-age.service.js';
import { EventPartitions } from './event-partitions.service.js';

/** Events of one statement, so that none of them locks for long. */
const BATCH = 10_000;

/** From $3 on, so that a statement does not wade through what the ones before it deleted. */
const deletionSql = (table: string) => `
  DELETE FROM ${table} WHERE created_at >= $1 AND created_at < $2 AND id = ANY(ARRAY(
    SELECT id FROM ${table} WHERE created_at >= $1 AND created_at < $2 AND id > $3
    ORDER BY id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))
  RETURNING id`;

/** The month in which the kept ones begin. */
const BEGUN_MONTH_SQL = deletionSql('events');

/** What has no month: the database may have been without a worker, or events came from elsewhere. */
const DEFAULT_SQL = deletionSql('events_default');

const COUNT_SQL = 'SELECT count(*)::int AS count FROM events WHERE created_at < $1';

const EVER = '-infinity';

/** What a round did, or would do. */
export interface Pruned {
  /** The events from this time on are kept. */
  before: Date;
  /** Names of the partitions that were dropped with all their events. */
  partitions: string[];
  /** Of partitions that stay; in a forecast of all. */
  events: number;
  /** False when something is left for the next round. */
  isComplete: boolean;
}

/** When a round has to end though there is more to do. */
interface Bounds {
  isStopping: () => boolean;
  budgetMs?: number;
}

/** Removes events that are older than the installation keeps them. */
@Injectable()
export class EventPruning {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly age: EventAge,
    private readonly partitions: EventPartitions,
  ) {}

  /**
   * Drops whole months and deletes the rest in batches. A month that is in use all the time stays
   * until the next round. Several workers may do so at once.
   */
  async run({ isStopping, budgetMs = Infinity }: Bounds): Promise<Pruned> {
    const end = this.clock.now().getTime() + budgetMs;
    const mustEnd = (): boolean => isStopping() || this.clock.now().getTime() >= end;
    const before = this.age.oldestKept();
    const old = await this.partitions.olderThan(before);
    const dropped: string[] = [];
    for (const name of old) {
      if (!mustEnd() && (await this.partitions.drop(name))) dropped.push(name);
    }
    const begun = await this.deleteAll(
      [BEGUN_MONTH_SQL, beginningOfMonth(before), before],
      mustEnd,
    );
    const rest = await this.deleteAll([DEFAULT_SQL, EVER, before], mustEnd);
    const isComplete = dropped.length === old.length && begun.isComplete && rest.isComplete;
    return { before, partitions: dropped, events: begun.count + rest.count, isComplete };
  }

  /** What `run` would remove now. */
  async forecast(): Promise<Pruned> {
    const before = this.age.oldestKept();
    const partitions = await this.partitions.olderThan(before);
    const counted = await this.sql.row<{ count: number }>(COUNT_SQL, [before]);
    return { before, partitions, events: counted?.count ?? 0, isComplete: true };
  }

  private async deleteAll(
    [text, from, before]: [string, Date | string, Date],
    mustEnd: () => boolean,
  ): Promise<{ count: number; isComplete: boolean }> {
    let [count, last, deleted] = [0, 0, BATCH];
    while (deleted === BATCH) {
      if (mustEnd()) return { count, isComplete: false };
      const rows = await this.sql.rows<{ id: number }>(text, [from, before, last]);
      deleted = rows.length;
      count += deleted;
      last = rows.reduce((highest, { id }) => Math.max(highest, id), last);
    }
    return { count, isComplete: true };
  }
}

function beginningOfMonth(time: Date): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth(), 1));
}
