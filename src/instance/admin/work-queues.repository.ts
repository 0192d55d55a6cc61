import { Injectable } from '@nestjs/common';
import { Sql } from '../../core/sql/sql.service.js';

/** Storage moves of all kinds. */
export const STORAGE_MOVES = ['project', 'snippet', 'group']
  .map((kind) => `SELECT state, created_at FROM ${kind}_repository_storage_moves`)
  .join(' UNION ALL ');

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
    FROM (${STORAGE_MOVES}) m WHERE state IN ('initial', 'scheduled', 'started', 'replicated')`,
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
