import type { IssueState } from '../../workspace/issues/issue.entity.js';
import type { UserBasics } from '../../identity/users/user.presenter.js';
import { ERROR_STATUS } from '../error-values.js';
import { titleOf } from '../parsing/event-labels.js';
import type { ErrorGroup } from '../error-group.entity.js';

/** Issue of an error. */
export interface ErrorIssue {
  /** Number within the project. */
  iid: number;
  title: string;
  state: IssueState;
}

/** An error with what presenting it needs, read in one statement. */
export interface ErrorGroupRow extends Pick<
  ErrorGroup,
  | 'id'
  | 'projectId'
  | 'status'
  | 'type'
  | 'value'
  | 'culprit'
  | 'platform'
  | 'logger'
  | 'level'
  | 'isUnhandled'
  | 'firstSeenAt'
  | 'lastSeenAt'
  | 'eventsCount'
  | 'usersCount'
  | 'firstRelease'
  | 'lastRelease'
  | 'regressedAt'
  | 'statusChangedAt'
  | 'resolvedRelease'
  | 'ignoredUntil'
  | 'ignoredUntilCount'
> {
  /**
   * Username of the user who set the status last; null if no one did or the account was deleted.
   */
  statusChangedBy: string | null;
  /** Also a user who can no longer read the errors of the project. */
  assignee: UserBasics | null;
  /**
   * null without one, and in a project with issues disabled. Includes confidential issues: everyone
   * who can read the errors of a project can read those as well.
   */
  issue: ErrorIssue | null;
}

/** An error with the IDs of those merged into it. */
export interface ErrorDetailsRow extends ErrorGroupRow {
  mergedIds: number[];
}

/**
 * One line that names the error: its type and the beginning of its value, no longer than the title
 * of an issue may be.
 */
export function errorTitle({
  type,
  value,
  culprit,
}: Pick<ErrorGroupRow, 'type' | 'value' | 'culprit'>): string {
  return titleOf(type, value) ?? culprit;
}

/**
 * Returns true if an event reopened the error after someone had resolved it, and no one changed it
 * since.
 */
export function isRegressed({
  status,
  regressedAt,
  statusChangedAt,
}: Pick<ErrorGroupRow, 'status' | 'regressedAt' | 'statusChangedAt'>): boolean {
  if (status !== ERROR_STATUS.unresolved || regressedAt === null) return false;
  return statusChangedAt === null || regressedAt >= statusChangedAt;
}
