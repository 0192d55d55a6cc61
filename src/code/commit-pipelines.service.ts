import { Injectable } from '@nestjs/common';
import { Sql } from '../core/sql/sql.service.js';
import type { CommitState } from './commit-states.js';
import { PIPELINE_COLUMNS, type PipelineRow } from './pipeline-row.js';

/** A status of a commit as its page lists it. */
export interface ShownCommitStatus {
  id: number;
  name: string;
  ref: string;
  state: CommitState;
  description: string | null;
  targetUrl: string | null;
  allowFailure: boolean;
  /** When it ended, else began, else was reported. */
  since: Date;
}

/** More are not shown on a page. */
const MAX_SHOWN = 200;

const LAST_SQL = `
  SELECT ${PIPELINE_COLUMNS} FROM pipelines l
  WHERE l.project_id = $1 AND l.sha = $2 ORDER BY l.id DESC LIMIT 1`;

const STATES_SQL = `
  SELECT DISTINCT ON (sha) sha, status FROM pipelines
  WHERE project_id = $1 AND sha = ANY($2::text[]) ORDER BY sha, id DESC`;

const STATUSES_SQL = `
  SELECT s.id, s.name, l.ref, s.state, s.description, s.target_url AS "targetUrl",
    s.allow_failure AS "allowFailure",
    coalesce(s.finished_at, s.started_at, s.created_at) AS since
  FROM pipelines l JOIN commit_statuses s ON s.pipeline_id = l.id
  WHERE l.project_id = $1 AND l.sha = $2 AND NOT s.retried
  ORDER BY l.id DESC, s.name LIMIT ${MAX_SHOWN}`;

/** What outside CI says of commits, for those who show commits; who may read the code sees it. */
@Injectable()
export class CommitPipelines {
  constructor(private readonly sql: Sql) {}

  /** The newest pipeline of a commit; null when nothing was reported. */
  last(projectId: number, sha: string): Promise<PipelineRow | null> {
    return this.sql.row<PipelineRow>(LAST_SQL, [projectId, sha]);
  }

  /** Status of the newest pipeline of each commit that has one, by the commit's id. */
  async states(projectId: number, shas: readonly string[]): Promise<Map<string, CommitState>> {
    const values = [projectId, shas];
    const rows = await this.sql.rows<{ sha: string; status: CommitState }>(STATES_SQL, values);
    return new Map(rows.map(({ sha, status }) => [sha, status]));
  }

  /** The statuses of a commit that count: those of the newest pipeline first, by name. */
  statuses(projectId: number, sha: string): Promise<ShownCommitStatus[]> {
    return this.sql.rows<ShownCommitStatus>(STATUSES_SQL, [projectId, sha]);
  }
}
