import { Injectable } from '@nestjs/common';
import { Sql } from '../../core/sql/sql.service.js';
import type { CommitState } from './commit-states.js';

/** A pipeline of outside CI: one commit of one ref. */
export interface PipelineRow {
  id: number;
  /** Short name of a branch or tag. */
  ref: string;
  sha: string;
  status: CommitState;
  createdAt: Date;
  updatedAt: Date;
}

/** A status of a commit as its page lists it. */
export interface ShownCommitStatus {
  id: number;
  name: string;
  pipelineId: number;
  state: CommitState;
  description: string | null;
  targetUrl: string | null;
  allowFailure: boolean;
  /** When it ended, else began, else was reported. */
  since: Date;
}

/** A pipeline with its current statuses. */
export interface ShownPipeline extends PipelineRow {
  /** The first ones by name; none when newer pipelines of the commit have many. */
  statuses: ShownCommitStatus[];
  /** Number of all current statuses. */
  statusCount: number;
}

/** Most statuses that a page shows. */
const MAX_SHOWN = 200;

/** Columns of a PipelineRow over `pipelines l`. */
export const PIPELINE_COLUMNS = `l.id, l.ref, l.sha, l.status,
  l.created_at AS "createdAt", l.updated_at AS "updatedAt"`;

const LAST_SQL = `
  SELECT ${PIPELINE_COLUMNS} FROM pipelines l
  WHERE l.project_id = $1 AND l.sha = $2 ORDER BY l.id DESC LIMIT 1`;

const STATES_SQL = `
  SELECT DISTINCT ON (sha) sha, status FROM pipelines
  WHERE project_id = $1 AND sha = ANY($2::text[]) ORDER BY sha, id DESC`;

const STATUSES_SQL = `
  SELECT s.id, s.name, s.pipeline_id AS "pipelineId", s.state, s.description, s.target_url AS "targetUrl",
    s.allow_failure AS "allowFailure",
    coalesce(s.finished_at, s.started_at, s.created_at) AS since
  FROM pipelines l JOIN commit_statuses s ON s.pipeline_id = l.id
  WHERE l.project_id = $1 AND l.sha = $2 AND NOT s.retried
  ORDER BY l.id DESC, s.name LIMIT ${MAX_SHOWN}`;

/** Most pipelines of one commit that a page shows. */
const MAX_PIPELINES = 50;

const PIPELINES_SQL = `
  SELECT ${PIPELINE_COLUMNS}, (SELECT count(*)::int FROM commit_statuses s
    WHERE s.pipeline_id = l.id AND NOT s.retried) AS "statusCount" FROM pipelines l
  WHERE l.project_id = $1 AND l.sha = $2 ORDER BY l.id DESC LIMIT ${MAX_PIPELINES}`;

const BRANCHES_IN_USE_SQL = `
  SELECT source_branch AS name FROM merge_requests WHERE project_id = $1 AND state = 'opened'
  UNION SELECT target_branch FROM merge_requests WHERE project_id = $1 AND state = 'opened'`;

const OPEN_MERGE_REQUESTS_SQL = `
  SELECT source_branch AS branch, max(iid) AS iid FROM merge_requests
  WHERE project_id = $1 AND state = 'opened' AND source_branch = ANY($2::text[])
  GROUP BY source_branch`;

/**
 * Owns the statements by which branches and commits read tables of features above: pipelines,
 * commit statuses and merge requests. Anyone who can read the code sees pipelines and statuses.
 */
@Injectable()
export class CodeRepository {
  constructor(private readonly queries: Sql) {}

  /** Returns the newest pipeline of a commit, or null without one. */
  findLastPipeline(projectId: number, sha: string): Promise<PipelineRow | null> {
    return this.queries.row<PipelineRow>(LAST_SQL, [projectId, sha]);
  }

  /** Returns the status of the newest pipeline of each commit that has one, by commit ID. */
  async findCommitStates(
    projectId: number,
    shas: readonly string[],
  ): Promise<Map<string, CommitState>> {
    const values = [projectId, shas];
    const rows = await this.queries.rows<{ sha: string; status: CommitState }>(STATES_SQL, values);
    return new Map(rows.map(({ sha, status }) => [sha, status]));
  }

  /** Returns the newest pipelines of a commit with their current statuses by name. */
  async listCommitPipelines(projectId: number, sha: string): Promise<ShownPipeline[]> {
    const values = [projectId, sha];
    const [pipelines, statuses] = await Promise.all([
      this.queries.rows<Omit<ShownPipeline, 'statuses'>>(PIPELINES_SQL, values),
      this.queries.rows<ShownCommitStatus>(STATUSES_SQL, values),
    ]);
    return pipelines.map((pipeline) => ({
      ...pipeline,
      statuses: statuses.filter(({ pipelineId }) => pipelineId === pipeline.id),
    }));
  }

  /** Returns the source and target branches of open merge requests. */
  async listBranchesInUse(projectId: number): Promise<string[]> {
    const inUse = await this.queries.rows<{ name: string }>(BRANCHES_IN_USE_SQL, [projectId]);
    return inUse.map(({ name }) => name);
  }

  /**
   * Returns the number of the newest open merge request from each of the branches that has one. The
   * caller checks that the viewer can read merge requests.
   */
  async findOpenMergeRequests(
    projectId: number,
    branches: readonly string[],
  ): Promise<ReadonlyMap<string, number>> {
    if (branches.length === 0) return new Map();
    const values = [projectId, branches];
    const rows = await this.queries.rows<{ branch: string; iid: number }>(
      OPEN_MERGE_REQUESTS_SQL,
      values,
    );
    return new Map(rows.map(({ branch, iid }) => [branch, iid]));
  }
}
