import type { ResponseContext } from '../../core/response-context.js';
import type { UserBasicResponse } from '../../identity/users/user.response.js';
import { presentUserBasic } from '../../identity/users/user.presenter.js';
import type { CommitCommentRow } from './commit-comments.repository.js';

/** A comment on a commit. */
export interface CommitCommentResponse {
  /** Markdown. */
  note: string;
  /** File of the commented line; null = the whole commit. */
  path: string | null;
  line: number | null;
  line_type: 'new' | 'old' | null;
  author: UserBasicResponse;
  /** @format date-time */
  created_at: string;
}

/** The comment as v4 shows it: without an id. */
export function presentCommitComment(
  { body, path, line, lineType, author, createdAt }: CommitCommentRow,
  { baseUrl }: ResponseContext,
): CommitCommentResponse {
  return {
    note: body,
    path,
    line,
    line_type: lineType,
    author: presentUserBasic(author, baseUrl),
    created_at: createdAt.toISOString(),
  };
}
