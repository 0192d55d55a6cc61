import type { CommitState } from './commit-states.js';

/** What outside CI does with one commit of one ref. */
export interface PipelineRow {
  id: number;
  /** Short name of a branch or tag. */
  ref: string;
  sha: string;
  status: CommitState;
  createdAt: Date;
  updatedAt: Date;
}

/** Columns of a PipelineRow over `pipelines l`. */
export const PIPELINE_COLUMNS = `l.id, l.ref, l.sha, l.status,
  l.created_at AS "createdAt", l.updated_at AS "updatedAt"`;
