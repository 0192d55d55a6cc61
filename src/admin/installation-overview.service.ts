import { Inject, Injectable } from '@nestjs/common';
import type { JobCounts, Queue } from 'bull';
import { ALL_QUEUES } from '../core/queue/all-queues.js';
import { Sql } from '../core/sql/sql.service.js';

/** How much there is of everything, and what waits for somebody. */
export interface InstallationCounts {
  people: number;
  pendingPeople: number;
  groups: number;
  projects: number;
  snippets: number;
  waitingMoves: number;
  runningMoves: number;
  failedMoves: number;
  queuedMails: number;
  failedMails: number;
  databaseBytes: number;
  databaseVersion: string;
}

/** What a queue holds; null while Redis does not answer. */
export interface QueueState {
  name: string;
  counts: JobCounts | null;
}

const MOVES = ['project', 'snippet', 'group']
  .map((kind) => `SELECT state, created_at FROM ${kind}_repository_storage_moves`)
  .join(' UNION ALL ');

const COUNTS_SQL = `
  SELECT
    (SELECT count(*)::int FROM users WHERE user_type = 'human') AS people,
    (SELECT count(*)::int FROM users WHERE user_type = 'human' AND state = 'pending')
      AS "pendingPeople",
    (SELECT count(*)::int FROM groups WHERE NOT pending_delete) AS groups,
    (SELECT count(*)::int FROM projects WHERE NOT pending_delete) AS projects,
    (SELECT count(*)::int FROM snippets WHERE NOT pending_delete) AS snippets,
    (SELECT count(*)::int FROM (${MOVES}) m WHERE state IN ('initial', 'scheduled'))
      AS "waitingMoves",
    (SELECT count(*)::int FROM (${MOVES}) m WHERE state IN ('started', 'replicated'))
      AS "runningMoves",
    (SELECT count(*)::int FROM (${MOVES}) m WHERE state IN ('failed', 'cleanup failed')
       AND created_at >= now() - interval '7 days') AS "failedMoves",
    (SELECT count(*)::int FROM outgoing_mails WHERE state = 'queued') AS "queuedMails",
    (SELECT count(*)::int FROM outgoing_mails WHERE state = 'failed') AS "failedMails",
    pg_database_size(current_database())::float8 AS "databaseBytes",
    current_setting('server_version') AS "databaseVersion"`;

/** A page must not wait for a Redis that is away: Bull's commands wait until it is back. */
const REDIS_PATIENCE_MS = 1_000;

/** Looks at the installation as a whole. */
@Injectable()
export class InstallationOverview {
  constructor(
    private readonly sql: Sql,
    @Inject(ALL_QUEUES) private readonly queues: Queue[],
  ) {}

  async counts(): Promise<InstallationCounts> {
    const row = await this.sql.row<InstallationCounts>(COUNTS_SQL);
    if (row === null) throw new Error('nothing could be counted');
    return row;
  }

  /** What each queue holds. */
  queueStates(): Promise<QueueState[]> {
    return Promise.all(
      this.queues.map(async (queue) => ({ name: queue.name, counts: await countsOf(queue) })),
    );
  }
}

async function countsOf(queue: Queue): Promise<JobCounts | null> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, REDIS_PATIENCE_MS, null);
  });
  const answer = queue.getJobCounts();
  // Whoever waited no longer hears of a failure that comes later.
  answer.catch(() => undefined);
  try {
    return await Promise.race([answer, patience]);
  } finally {
    clearTimeout(timer);
  }
}
