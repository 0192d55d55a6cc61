import type { BackgroundJobKind } from './background-job.entity.js';
import type { JobRow } from './jobs.repository.js';
import type { JobStatus } from './job.dto.js';

/** Background job of a project, with the attribute names that v4 clients know from jobs. */
export interface BackgroundJobResponse {
  id: number;
  status: JobStatus;
  /** Always `storage`: all jobs move repositories between storages. */
  stage: 'storage';
  /** @example project_repository_storage_move */
  name: string;
  /** Always empty: jobs belong to no branch. */
  ref: null;
  tag: false;
  coverage: null;
  allow_failure: false;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  erased_at: null;
  /** Duration so far in seconds. */
  duration: number | null;
  /** Queue time in seconds. */
  queued_duration: number;
  failure_reason: 'move_failed' | 'cleanup_failed' | null;
  /** Always null: jobs have no page. */
  web_url: null;
  tag_list: string[];
  /** Kind of job, which also determines the type of `subject_id`. */
  kind: BackgroundJobKind;
  /** ID of the storage move. */
  subject_id: number;
  project: BackgroundJobProjectResponse;
}

/** The project of a job. */
export interface BackgroundJobProjectResponse {
  id: number;
}

const NAMES: Record<BackgroundJobKind, string> = {
  project_move: 'project_repository_storage_move',
  snippet_move: 'snippet_repository_storage_move',
};

/** Returns the public attributes of a job, without its storages. */
export function presentJob(row: JobRow): BackgroundJobResponse {
  return {
    id: row.id,
    status: row.status,
    stage: 'storage',
    name: NAMES[row.kind],
    ref: null,
    tag: false,
    coverage: null,
    allow_failure: false,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    finished_at: row.finished_at?.toISOString() ?? null,
    erased_at: null,
    duration: row.duration,
    queued_duration: row.queued_duration,
    failure_reason: row.failure_reason,
    web_url: null,
    tag_list: [],
    kind: row.kind,
    subject_id: row.subject_id,
    project: { id: row.project_id },
  };
}
