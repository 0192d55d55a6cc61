import type { CommitState } from '../repository/commit-states.js';
import type { ResponseContext } from '../../core/response-context.js';
import type { UserBasicResponse } from '../../identity/users/user.response.js';
import { presentUserBasic } from '../../identity/users/user.presenter.js';
import type { CommitStatusRow } from './commit-statuses.repository.js';

/** Status of a commit, reported by external CI under a name. */
export interface CommitStatusResponse {
  id: number;
  /** @example "ed899a2f4b50b4370feeea94676502b42383c746" */
  sha: string;
  /** @example "main" */
  ref: string;
  status: CommitState;
  /** @example "build" */
  name: string;
  /** URL of its page. */
  target_url: string | null;
  description: string | null;
  /** @format date-time */
  created_at: string;
  /** @format date-time */
  started_at: string | null;
  /** @format date-time */
  finished_at: string | null;
  /** Lets the pipeline succeed if this status fails. */
  allow_failure: boolean;
  /**
   * Test coverage in percent.
   * @format double
   * @example 87.5
   */
  coverage: number | null;
  /** User who reported the status first; null after their deletion. */
  author: UserBasicResponse | null;
  /** Pipeline of the commit and ref. */
  pipeline_id: number;
}

/** A status as the API shows it. */
export function presentCommitStatus(
  row: CommitStatusRow,
  { baseUrl }: ResponseContext,
): CommitStatusResponse {
  return {
    id: row.id,
    sha: row.sha,
    ref: row.ref,
    status: row.state,
    name: row.name,
    target_url: row.targetUrl,
    description: row.description,
    created_at: row.createdAt.toISOString(),
    started_at: row.startedAt?.toISOString() ?? null,
    finished_at: row.finishedAt?.toISOString() ?? null,
    allow_failure: row.allowFailure,
    coverage: row.coverage,
    author: row.author && presentUserBasic(row.author, baseUrl),
    pipeline_id: row.pipelineId,
  };
}
