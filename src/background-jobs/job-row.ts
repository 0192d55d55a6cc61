import type { BackgroundJobKind } from './background-job.entity.js';
import { MOVE_FAILURE_SQL, MOVE_STATUS_SQL, type JobStatus } from './job-statuses.js';

/** What is read of a job. */
export interface JobRow {
  id: number;
  kind: BackgroundJobKind;
  subject_id: number;
  project_id: number;
  status: JobStatus;
  failure_reason: 'move_failed' | 'cleanup_failed' | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  duration: number | null;
  queued_duration: number;
}

const moveSql = (kind: BackgroundJobKind, table: string): string => `
  SELECT ${MOVE_STATUS_SQL} AS status, ${MOVE_FAILURE_SQL} AS failure_reason,
         m.created_at, m.started_at, m.finished_at
  FROM ${table} m WHERE j.kind = '${kind}' AND m.id = j.subject_id`;

/** A job with the row that holds its state; a job whose row is gone, with its snippet, is none. */
export const JOB_FROM = `background_jobs j CROSS JOIN LATERAL (
  ${moveSql('project_move', 'project_repository_storage_moves')}
  UNION ALL
  ${moveSql('snippet_move', 'snippet_repository_storage_moves')}
) s`;

export const JOB_COLUMNS = `
  j.id, j.kind, j.subject_id, j.project_id, s.status, s.failure_reason,
  s.created_at, s.started_at, s.finished_at,
  ${secondsSql('s.started_at', 'coalesce(s.finished_at, now())')} AS duration,
  ${secondsSql('s.created_at', 'coalesce(s.started_at, s.finished_at, now())')} AS queued_duration`;

/** Never below zero, though clocks of several machines may have written the two times. */
function secondsSql(from: string, to: string): string {
  return `greatest(0, extract(epoch FROM ${to} - ${from}))::float8`;
}
