import type { ResponseContext } from '../../core/response-context.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { compareUrl } from './code-addresses.js';
import { presentCommit } from './commit.presenter.js';
import type { Comparison } from './comparisons.service.js';
import { presentDiff, type DiffResponse } from './diff.presenter.js';
import type { CommitResponse } from './commit.response.js';

/** Commits and changes that one revision has and another one lacks. */
export interface ComparisonResponse {
  /** The newest of the commits. */
  commit: CommitResponse | null;
  /** Oldest first; at most the newest 1,000. */
  commits: CommitResponse[];
  diffs: DiffResponse[];
  /** True if the diff is truncated. */
  compare_timeout: boolean;
  compare_same_ref: boolean;
  web_url: string;
}

/** Returns the comparison in the requested form. */
export function presentComparison(
  comparison: Comparison,
  { project, unidiff }: { project: ProjectRow; unidiff: boolean },
  presentation: ResponseContext,
): ComparisonResponse {
  const { from, to, diff } = comparison;
  const commits = comparison.commits.map((one) => presentCommit(one, project, presentation));
  return {
    commit: commits.at(-1) ?? null,
    commits,
    diffs: diff.files.map((file) => presentDiff(file, unidiff)),
    compare_timeout: diff.isOverflowing,
    compare_same_ref: comparison.isSame,
    web_url: compareUrl(project, { from, to }, presentation),
  };
}
