import type { CommitState } from './commit-states.js';
import type { PipelineRow } from './code.repository.js';

/** Pipeline of a commit, reported by external CI. */
export interface PipelineResponse {
  id: number;
  project_id: number;
  /** @example "ed899a2f4b50b4370feeea94676502b42383c746" */
  sha: string;
  /** @example "main" */
  ref: string;
  /** Status derived from the reported statuses. */
  status: CommitState;
  /** Always `external`: reported by external CI. */
  source: 'external';
  /** @format date-time */
  created_at: string;
  /** @format date-time */
  updated_at: string;
  /** URL of the commit page, which lists the statuses. */
  web_url: string;
}

/** A pipeline of a project; `webUrl` is the page of its commit. */
export function presentPipeline(
  { id, sha, ref, status, createdAt, updatedAt }: PipelineRow,
  { projectId, webUrl }: { projectId: number; webUrl: string },
): PipelineResponse {
  return {
    id,
    project_id: projectId,
    sha,
    ref,
    status,
    source: 'external',
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    web_url: webUrl,
  };
}
