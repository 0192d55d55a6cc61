import type { ResponseContext } from '../../core/response-context.js';
import type { TagRecord } from '../../git/reading/tags.js';
import { type CodePageContext } from './code-addresses.js';
import { presentCommit } from './commit.presenter.js';
import type { CommitResponse } from './commit.response.js';

/** A tag. */
export interface TagResponse {
  /** @example "v1.0.0" */
  name: string;
  /** Message of an annotated tag. */
  message: string | null;
  /** Tag object of an annotated tag, else the commit. */
  target: string;
  /** null if the target is not a commit. */
  commit: CommitResponse | null;
  /** Always null: there are no releases. */
  release: null;
  protected: boolean;
  /** Creation time of an annotated tag. */
  created_at: string | null;
}

/** The tag of a project. */
export function presentTag(
  { name, message, target, commit, taggedDate }: TagRecord,
  place: CodePageContext,
  presentation: ResponseContext,
): TagResponse {
  return {
    name,
    message,
    target,
    commit: commit === null ? null : presentCommit(commit, place, presentation),
    release: null,
    protected: false,
    created_at: taggedDate?.toISOString() ?? null,
  };
}
