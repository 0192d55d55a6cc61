import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import type { IsStopping } from '../../core/queue/rounds.js';
import { Sql } from '../../core/sql/sql.service.js';

const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;
/** Notices of one statement, so that none of them locks for long. */
const BATCH = 10_000;

/** Mails that are not sent yet are made from their notice. */
const PURGE_SQL = `
  WITH gone AS (DELETE FROM notices WHERE id = ANY(ARRAY(
    SELECT o.id FROM notices o WHERE o.created_at < $1
      AND NOT EXISTS (SELECT FROM outgoing_mails q WHERE q.notice_id = o.id AND q.state = 'queued')
    ORDER BY o.id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))
  RETURNING 1)
  SELECT count(*)::integer AS count FROM gone`;

const PURGE_RUNS_SQL = `DELETE FROM due_runs WHERE day < ($1::timestamptz AT TIME ZONE 'UTC')::date`;

/** Forgets notices when nobody can need them anymore. */
@Injectable()
export class NoticePurge {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** Deletes those older than 30 days, apart from those that mails wait for; answers how many. */
  async run(isStopping: IsStopping): Promise<number> {
    const before = new Date(this.clock.now().getTime() - KEPT_DAYS * DAY_MS);
    await this.sql.rows(PURGE_RUNS_SQL, [before]);
    let [total, count] = [0, BATCH];
    while (count === BATCH && !isStopping()) {
      const gone = await this.sql.row<{ count: number }>(PURGE_SQL, [before]);
      count = gone?.count ?? 0;
      total += count;
    }
    return total;
  }
}
