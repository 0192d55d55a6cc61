import { Injectable } from '@nestjs/common';
import { countsSql } from '../../core/sql/list-query.js';
import { Sql } from '../../core/sql/sql.service.js';

const MOVES = ['project', 'snippet', 'group']
  .map((kind) => `SELECT state, created_at FROM ${kind}_repository_storage_moves`)
  .join(' UNION ALL ');

const COUNTS_SQL = `
  SELECT
    (SELECT count(*)::int FROM users WHERE user_type = 'human' AND state = 'pending')
      AS "pendingPeople",
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

const DELETIONS = `
  SELECT p.updated_at AS created_at FROM projects p WHERE p.pending_delete
  UNION ALL SELECT s.updated_at FROM snippets s WHERE s.pending_delete
  UNION ALL SELECT n.updated_at FROM groups g JOIN namespaces n ON n.id = g.id WHERE g.pending_delete`;

/** Rows with their time; those that are leased or to be retried later count as delayed. */
const QUEUES: Readonly<Record<string, string>> = {
  mails: `SELECT not_before > now() AS is_delayed, queued_at AS created_at
    FROM outgoing_mails WHERE state = 'queued'`,
  notifications: `SELECT not_before > now() AS is_delayed, created_at
    FROM notifications WHERE mailed_at IS NULL`,
  alerts: 'SELECT not_before > now() AS is_delayed, created_at FROM alert_reactions',
  'audit-stream': 'SELECT not_before > now() AS is_delayed, created_at FROM audit_deliveries',
  deletions: `SELECT false AS is_delayed, created_at FROM (${DELETIONS}) d`,
  'storage-moves': `SELECT state IN ('started', 'replicated') AS is_delayed, created_at
    FROM (${MOVES}) m WHERE state IN ('initial', 'scheduled', 'started', 'replicated')`,
};

const SELECTS = Object.entries(QUEUES).map(
  ([queue, rows]) => `
    SELECT '${queue}' AS queue, count(*) FILTER (WHERE NOT is_delayed)::int AS waiting,
      count(*) FILTER (WHERE is_delayed)::int AS delayed,
      coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS "oldestSeconds"
    FROM (${rows}) r`,
);

/** Background work in the database. */
interface WorkQueue {
  queue: string;
  /** Due, and held by no worker. */
  waiting: number;
  /** Running, or to be retried later. */
  delayed: number;
  /** Age of the oldest row; 0 without any. */
  oldestSeconds: number;
}

/** Reads the rows of background work of all features, for metrics. */
@Injectable()
export class WorkQueuesRepository {
  constructor(private readonly queries: Sql) {}

  list(): Promise<WorkQueue[]> {
    return this.queries.rows<WorkQueue>(SELECTS.join(' UNION ALL '));
  }
}
