import type { CommitState } from './commit-states.js';
import type { PipelineResponse } from './pipeline.presenter.js';

/** A commit of a list. */
export interface CommitResponse {
  /** @example "ed899a2f4b50b4370feeea94676502b42383c746" */
  id: string;
  /** @example "ed899a2f" */
  short_id: string;
  /** Commit time. */
  created_at: string;
  parent_ids: string[];
  /** First line of the message; at most 100 characters. */
  title: string;
  message: string;
  author_name: string;
  author_email: string;
  /** @example "2026-01-15T09:30:00.000Z" */
  authored_date: string;
  committer_name: string;
  committer_email: string;
  /** @example "2026-01-15T09:30:00.000Z" */
  committed_date: string;
  /** `Key: value` lines at the end of the message; the last of equal keys. */
  trailers: Record<string, string>;
  /** All values of each key. */
  extended_trailers: Record<string, string[]>;
  web_url: string;
}

/** Changed lines, against the first parent. */
export interface CommitStatsResponse {
  additions: number;
  deletions: number;
  total: number;
}

/** A commit of a list with `with_stats`. */
export interface CommitInListResponse extends CommitResponse {
  /** Null if a commit of the page is too large to count. */
  stats?: CommitStatsResponse | null;
}

/** Commit with its details. */
export interface CommitDetailResponse extends CommitResponse {
  stats: CommitStatsResponse | null;
  /** Of `last_pipeline`. */
  status: CommitState | null;
  /** Newest pipeline; null = none reported. */
  last_pipeline: PipelineResponse | null;
  project_id: number;
}

/** A branch or tag that contains a commit. */
export interface CommitRefResponse {
  type: 'branch' | 'tag';
  name: string;
}
