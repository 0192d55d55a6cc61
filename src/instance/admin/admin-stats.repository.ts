import { Injectable } from '@nestjs/common';
import { countsSql } from '../../core/sql/counts.js';
import { Sql } from '../../core/sql/sql.service.js';
import { STORAGE_MOVES } from './work-queues.repository.js';

const COUNTS_SQL = `
  SELECT
    (SELECT count(*)::int FROM users WHERE user_type = 'human' AND state = 'pending')
      AS "pendingPeople",
    (SELECT count(*)::int FROM (${STORAGE_MOVES}) m WHERE state IN ('initial', 'scheduled'))
      AS "waitingMoves",
    (SELECT count(*)::int FROM (${STORAGE_MOVES}) m WHERE state IN ('started', 'replicated'))
      AS "runningMoves",
    (SELECT count(*)::int FROM (${STORAGE_MOVES}) m WHERE state IN ('failed', 'cleanup failed')
       AND created_at >= now() - interval '7 days') AS "failedMoves",
    (SELECT count(*)::int FROM outgoing_mails WHERE state = 'queued') AS "queuedMails",
    (SELECT count(*)::int FROM outgoing_mails WHERE state = 'failed') AS "failedMails",
    pg_database_size(current_database())::float8 AS "databaseBytes",
    current_setting('server_version') AS "databaseVersion"`;

const TOTALS = {
  people: `users WHERE user_type = 'human'`,
  groups: 'groups WHERE NOT pending_delete',
  projects: 'projects WHERE NOT pending_delete',
  snippets: 'snippets WHERE NOT pending_delete',
};

const TOTALS_SQL = countsSql(TOTALS);

/** Totals of the instance, and the work that is waiting. */
export interface InstanceCounts extends Record<keyof typeof TOTALS, number> {
  pendingPeople: number;
  waitingMoves: number;
  runningMoves: number;
  failedMoves: number;
  queuedMails: number;
  failedMails: number;
  databaseBytes: number;
  databaseVersion: string;
}

/** Content of a group itself, without its subgroups. */
export interface GroupCounts {
  projects: number;
  members: number;
}

const GROUP_COUNTS_SQL = `
  SELECT g.id,
    (SELECT count(*)::int FROM projects p WHERE p.namespace_id = g.id AND NOT p.pending_delete)
      AS projects,
    (SELECT count(*)::int FROM members m WHERE m.namespace_id = g.id) AS members
  FROM unnest($1::bigint[]) AS g (id)`;

/** Counts across the tables of all features, for administrators. */
@Injectable()
export class AdminStatsRepository {
  constructor(private readonly queries: Sql) {}

  /** Counts everything; large totals as `Sql.counts` does. */
  async count(): Promise<InstanceCounts> {
    const [row, totals] = await Promise.all([
      this.queries.row<InstanceCounts>(COUNTS_SQL),
      this.queries.counts(TOTALS_SQL, [], Object.keys(TOTALS)),
    ]);
    if (row === null) throw new Error('nothing could be counted');
    return { ...row, ...Object.fromEntries(totals.map(({ name, count }) => [name, count])) };
  }

  /** Counts projects and direct members of groups. */
  async countOfGroups(ids: readonly number[]): Promise<Map<number, GroupCounts>> {
    const rows = await this.queries.rows<GroupCounts & { id: number }>(GROUP_COUNTS_SQL, [ids]);
    return new Map(rows.map(({ id, ...counts }) => [id, counts]));
  }
}
