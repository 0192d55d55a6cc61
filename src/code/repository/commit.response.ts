import type { ResponseContext } from '../../core/response-context.js';
import { encodePath } from '../../core/ui/addresses.js';
import type { CommitRecord } from '../../git/reading/commits.js';
import type { DiffStats } from '../../git/reading/diffs.js';
import { fullPathOf, type ProjectRow } from '../../workspace/projects/projects.repository.js';
import type { PipelineRow } from './code.repository.js';
import type { CommitState } from './commit-states.js';

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
interface CommitStatsResponse {
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

const SHORT_ID_LENGTH = 8;
const LONGEST_TITLE = 100;
const CUT_TITLE = 80;
const HALF = /[\ud800-\udbff]$/;

/** A commit as lists, branches and tags show it. */
export function presentCommit(
  commit: CommitRecord,
  project: LinkedProject,
  presentation: ResponseContext,
): CommitResponse {
  const { id, trailers } = commit;
  const committed = commit.committedDate.toISOString();
  return {
    id,
    short_id: id.slice(0, SHORT_ID_LENGTH),
    created_at: committed,
    parent_ids: commit.parentIds,
    title: shownTitle(commit.title),
    message: commit.message,
    author_name: commit.authorName,
    author_email: commit.authorEmail,
    authored_date: commit.authoredDate.toISOString(),
    committer_name: commit.committerName,
    committer_email: commit.committerEmail,
    committed_date: committed,
    // Keys are anyone's text: unlike an assignment this also takes `__proto__` for a plain key.
    trailers: Object.fromEntries(trailers),
    extended_trailers: Object.fromEntries(valuesByKey(trailers)),
    web_url: commitUrl(project, id, presentation),
  };
}

/** Details of a commit besides its list attributes. */
interface CommitDetail {
  commit: CommitRecord;
  /** null = not requested. */
  stats: DiffStats | null;
  /** The newest; null = nothing was reported. */
  pipeline: PipelineRow | null;
}

/** Returns a commit with its details. */
export function presentCommitDetail(
  { commit, stats, pipeline }: CommitDetail,
  project: ProjectRow,
  presentation: ResponseContext,
): CommitDetailResponse {
  const shown = presentCommit(commit, project, presentation);
  return {
    ...shown,
    stats,
    status: pipeline && pipeline.status,
    last_pipeline:
      pipeline && presentPipeline(pipeline, { projectId: project.id, webUrl: shown.web_url }),
    project_id: project.id,
  };
}

/** A long first line ends at a word, as v4 cuts it. */
function shownTitle(title: string): string {
  if (title.length < LONGEST_TITLE) return title;
  const beginning = title.slice(0, CUT_TITLE - '...'.length);
  const lastSpace = beginning.lastIndexOf(' ');
  // Without a space the cut can be within a character of two units.
  const whole = lastSpace > 0 ? beginning.slice(0, lastSpace) : beginning.replace(HALF, '');
  return `${whole}...`;
}

function valuesByKey(trailers: readonly (readonly [string, string])[]): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [key, value] of trailers) {
    const known = values.get(key);
    // Added to in place: a message can have hundreds of thousands of them.
    if (known === undefined) values.set(key, [value]);
    else known.push(value);
  }
  return values;
}

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

/** The attributes of a project that its URLs consist of. */
export type LinkedProject = Pick<ProjectRow, 'path' | 'namespace'>;

/** Page of a commit. */
function commitUrl(project: LinkedProject, id: string, { baseUrl }: ResponseContext): string {
  return `${baseUrl}/${fullPathOf(project)}/-/commit/${id}`;
}

/** Page of the files at a branch. */
export function treeUrl(project: LinkedProject, ref: string, { baseUrl }: ResponseContext): string {
  return `${baseUrl}/${fullPathOf(project)}/-/tree/${encodePath(ref)}`;
}

/** Page that compares two revisions. */
export function compareUrl(
  project: LinkedProject,
  { from, to }: { from: string; to: string },
  { baseUrl }: ResponseContext,
): string {
  const query = new URLSearchParams({ from, to });
  return `${baseUrl}/${fullPathOf(project)}/-/compare?${query.toString()}`;
}
