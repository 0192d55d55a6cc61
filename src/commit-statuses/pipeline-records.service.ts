import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Activity } from '../activity/activity.service.js';
import type { NoticeKind } from '../activity/notice-kinds.js';
import type { CommitState } from '../code/commit-states.js';
import { PipelineListeners } from './pipeline-listeners.service.js';
import { type CountedState, pipelineStatus } from './pipeline-status.js';

type Outcome = 'success' | 'failed';

/** A pipeline whose commit is locked by the caller (see lockPipelines). */
export interface OpenPipeline {
  id: number;
  projectId: number;
  sha: string;
  ref: string;
  status: CommitState;
  outcome: Outcome | null;
}

/** Which pipeline a report is for. */
export interface WantedPipeline {
  projectId: number;
  sha: string;
  /** null = whichever is the newest. */
  ref: string | null;
  id: number | null;
}

const COLUMNS = 'id, project_id AS "projectId", sha, ref, status, outcome';

const FIND_SQL = `
  SELECT ${COLUMNS} FROM pipelines
  WHERE project_id = $1 AND sha = $2 AND ($3::text IS NULL OR ref = $3)
    AND ($4::bigint IS NULL OR id = $4)
  ORDER BY id DESC LIMIT 1`;

const MAKE_SQL = `
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

/** Keeps pipelines in step with their statuses, and tells of their ends. */
@Injectable()
export class PipelineRecords {
  constructor(
    private readonly activity: Activity,
    private readonly listeners: PipelineListeners,
  ) {}

  /** null when there is none. */
  async find(tx: EntityManager, wanted: WantedPipeline): Promise<OpenPipeline | null> {
    const { projectId, sha, ref, id } = wanted;
    const [found] = await tx.query<OpenPipeline[]>(FIND_SQL, [projectId, sha, ref, id]);
    return found ?? null;
  }

  /** A new one, which `userId` runs: who reports its first status. */
  async make(
    tx: EntityManager,
    { projectId, sha, ref }: Pick<OpenPipeline, 'projectId' | 'sha' | 'ref'>,
    userId: number,
  ): Promise<OpenPipeline> {
    const [made] = await tx.query<OpenPipeline[]>(MAKE_SQL, [projectId, sha, ref, userId]);
    if (made === undefined) throw new Error('A pipeline was not made');
    return made;
  }

  /** After a change of its statuses; answers whether it has just succeeded. */
  async settle(tx: EntityManager, pipeline: OpenPipeline): Promise<boolean> {
    const { id, projectId, sha } = pipeline;
    const status = pipelineStatus(await tx.query<CountedState[]>(STATES_SQL, [id]));
    if (status === pipeline.status) return false;
    const outcome = status === 'success' || status === 'failed' ? status : null;
    await tx.query(SETTLE_SQL, [id, status, outcome]);
    if (outcome === null) return false;
    const kind = await this.noticeOf(tx, pipeline, outcome);
    const target = { type: 'pipeline', id } as const;
    await this.activity.notify(tx, [{ kind, projectId, actorId: null, target }]);
    if (outcome === 'success') await this.listeners.tell(tx, { projectId, sha });
    return outcome === 'success';
  }

  /** The first success after a failure mends it: of the pipeline itself, or of one before it. */
  private async noticeOf(
    tx: EntityManager,
    { id, projectId, ref, outcome: before }: OpenPipeline,
    outcome: Outcome,
  ): Promise<NoticeKind> {
    if (outcome === 'failed') return 'failed_pipeline';
    const last = before ?? (await outcomeBefore(tx, [projectId, ref, id]));
    return last === 'failed' ? 'fixed_pipeline' : 'success_pipeline';
  }
}

async function outcomeBefore(tx: EntityManager, values: unknown[]): Promise<Outcome | null> {
  const [before] = await tx.query<{ outcome: Outcome }[]>(OUTCOME_BEFORE_SQL, values);
  return before?.outcome ?? null;
}
