import type { CommitState } from '../code/commit-states.js';
import { optionalUserSql } from '../users/sql/user-list.js';
import type { UserBasics } from '../users/user.presenter.js';

/** A status with what presenting it needs. */
export interface CommitStatusRow {
  id: number;
  sha: string;
  ref: string;
  pipelineId: number;
  name: string;
  state: CommitState;
  targetUrl: string | null;
  description: string | null;
  coverage: number | null;
  allowFailure: boolean;
  /** null = deleted since. */
  author: UserBasics | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  createdAt: Date;
}

/** Columns of a CommitStatusRow over STATUS_TABLES. */
export const STATUS_COLUMNS = `s.id, l.sha, l.ref, s.pipeline_id AS "pipelineId", s.name, s.state,
  s.target_url AS "targetUrl", s.description, s.coverage, s.allow_failure AS "allowFailure",
  ${optionalUserSql('author')} AS author,
  s.started_at AS "startedAt", s.finished_at AS "finishedAt", s.created_at AS "createdAt"`;

export const STATUS_TABLES = 'commit_statuses s JOIN pipelines l ON l.id = s.pipeline_id';
export const STATUS_AUTHOR = 'LEFT JOIN users author ON author.id = s.user_id';
