import type { ResponseContext } from '../../core/response-context.js';
import type { CommitRecord } from '../../git/reading/commits.js';
import type { DiffStats } from '../../git/reading/diffs.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { type CodePageContext, commitUrl } from './code-addresses.js';
import type { PipelineRow } from './code.repository.js';
import { presentPipeline } from './pipeline.presenter.js';
import type { CommitResponse, CommitDetailResponse } from './commit.response.js';

const SHORT_ID_LENGTH = 8;
const LONGEST_TITLE = 100;
const CUT_TITLE = 80;
const HALF = /[\ud800-\udbff]$/;

/** A commit as lists, branches and tags show it. */
export function presentCommit(
  commit: CommitRecord,
  place: CodePageContext,
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
    web_url: commitUrl(place, id, presentation),
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
  const place = { projectId: project.id, webUrl: shown.web_url };
  return {
    ...shown,
    stats,
    status: pipeline && pipeline.status,
    last_pipeline: pipeline && presentPipeline(pipeline, place),
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
