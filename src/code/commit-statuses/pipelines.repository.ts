import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, Repository } from 'typeorm';
import type { CommitState } from '../repository/commit-states.js';
import { Pipeline } from './commit-status.entity.js';

export type Outcome = 'success' | 'failed';

/** A pipeline whose commit is locked by the caller (see `lockCommit`). */
export interface OpenPipeline {
  id: number;
  projectId: number;
  sha: string;
  ref: string;
  status: CommitState;
  outcome: Outcome | null;
}

/** The pipeline that a report names. */
interface WantedPipeline {
  projectId: number;
  sha: string;
  /** null = the newest. */
  ref: string | null;
  id: number | null;
}

const LOCK_COMMIT_SQL = `SELECT pg_advisory_xact_lock(hashtextextended('pipelines ' || $1 || ' ' || $2, 0))`;

const COLUMNS = 'id, project_id AS "projectId", sha, ref, status, outcome';

const FIND_SQL = `
  SELECT ${COLUMNS} FROM pipelines
  WHERE project_id = $1 AND sha = $2 AND ($3::text IS NULL OR ref = $3)
    AND ($4::bigint IS NULL OR id = $4)
  ORDER BY id DESC LIMIT 1`;

const INSERT_SQL = `
  INSERT INTO pipelines (project_id, sha, ref, user_id) VALUES ($1, $2, $3, $4)
  RETURNING ${COLUMNS}`;

const STATES_SQL = `
  SELECT state, allow_failure AS "allowFailure" FROM commit_statuses
  WHERE pipeline_id = $1 AND NOT retried GROUP BY 1, 2`;

const SETTLE_SQL = `
  UPDATE pipelines SET status = $2, outcome = coalesce($3, outcome), updated_at = now(),
    finished_at = CASE WHEN $2 NOT IN ('pending', 'running') THEN now() END
  WHERE id = $1`;

const OUTCOME_BEFORE_SQL = `
  SELECT outcome FROM pipelines
  WHERE project_id = $1 AND ref = $2 AND id < $3 AND outcome IS NOT NULL
  ORDER BY id DESC LIMIT 1`;

/** Statuses from external CI, earlier or later, take precedence. */
const SKIP_SQL = `
  INSERT INTO pipelines (project_id, sha, ref, user_id, status, finished_at)
  SELECT $1, $2, $3, $4, 'skipped', now()
  WHERE NOT EXISTS (SELECT 1 FROM pipelines WHERE project_id = $1 AND sha = $2 AND ref = $3)`;

/** Owns every statement about pipelines. */
@Injectable()
export class PipelinesRepository extends Repository<Pipeline> {
  constructor(dataSource: DataSource) {
    super(Pipeline, dataSource.manager);
  }

  /**
   * Locks the pipelines of a commit until the transaction ends: no one else creates or changes them.
   * It is the first lock that a transaction takes, so that none waits for another in a circle.
   */
  async lockCommit(manager: EntityManager, projectId: number, sha: string): Promise<void> {
    await manager.query(LOCK_COMMIT_SQL, [String(projectId), sha]);
  }

  /** Returns the newest such pipeline; null when there is none. */
  async findOpen(manager: EntityManager, wanted: WantedPipeline): Promise<OpenPipeline | null> {
    const { projectId, sha, ref, id } = wanted;
    const [found] = await manager.query<OpenPipeline[]>(FIND_SQL, [projectId, sha, ref, id]);
    return found ?? null;
  }

  /** Adds a pipeline that `userId` runs, who reports its first status. */
  async add(
    manager: EntityManager,
    { projectId, sha, ref }: Pick<OpenPipeline, 'projectId' | 'sha' | 'ref'>,
    userId: number,
  ): Promise<OpenPipeline> {
    const values = [projectId, sha, ref, userId];
    const [added] = await manager.query<OpenPipeline[]>(INSERT_SQL, values);
    if (added === undefined) throw new Error('A pipeline was not inserted');
    return added;
  }

  /** Adds a skipped pipeline unless the branch has one for the commit. */
  async addSkipped(
    manager: EntityManager,
    { projectId, sha, ref }: Pick<OpenPipeline, 'projectId' | 'sha' | 'ref'>,
    userId: number,
  ): Promise<void> {
    await manager.query(SKIP_SQL, [projectId, sha, ref, userId]);
  }

  /** Returns the distinct states of a pipeline's current statuses. */
  countedStates(manager: EntityManager, id: number): Promise<CountedState[]> {
    return manager.query<CountedState[]>(STATES_SQL, [id]);
  }

  /** Sets the status; an outcome of null keeps the present one. */
  async settle(
    manager: EntityManager,
    id: number,
    { status, outcome }: { status: CommitState; outcome: Outcome | null },
  ): Promise<void> {
    await manager.query(SETTLE_SQL, [id, status, outcome]);
  }

  /** Returns the outcome of the pipeline before on the same branch or tag; null without one. */
  async findOutcomeBefore(
    manager: EntityManager,
    { projectId, ref, id }: OpenPipeline,
  ): Promise<Outcome | null> {
    const values = [projectId, ref, id];
    const [before] = await manager.query<{ outcome: Outcome }[]>(OUTCOME_BEFORE_SQL, values);
    return before?.outcome ?? null;
  }
}

/** A state that statuses of a pipeline have. */
interface CountedState {
  state: CommitState;
  allowFailure: boolean;
}

/** Without anything that runs or waits, the first of these that a status has is the pipeline's. */
const ENDS = ['failed', 'canceled', 'success'] as const;

/** Status of a pipeline by those of its statuses that count: it runs until all have ended. */
export function pipelineStatus(states: readonly CountedState[]): CommitState {
  const found = new Set(states.map(endedState));
  const hasBegun = ENDS.some((end) => found.has(end));
  if (found.has('running') || (found.has('pending') && hasBegun)) return 'running';
  if (found.has('pending')) return 'pending';
  return ENDS.find((end) => found.has(end)) ?? 'skipped';
}

/** Allowed failures count as success. */
function endedState({ state, allowFailure }: CountedState): CommitState {
  return state === 'failed' && allowFailure ? 'success' : state;
}
