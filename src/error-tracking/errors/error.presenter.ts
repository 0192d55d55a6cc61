import { presentUserBasic, type UserBasicResponse } from '../../identity/users/user.presenter.js';
import type { IssueState } from '../../workspace/issues/issue.entity.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import {
  ERROR_LEVELS,
  ERROR_STATUSES,
  type ErrorLevel,
  type ErrorStatus,
} from '../error-values.js';
import { errorPath, issuePath } from '../error-paths.js';
import { errorTitle, type ErrorGroupRow } from './error-group.js';
import type { TagDistribution } from '../error-statistics.repository.js';

/** Issue of an error. */
interface ErrorIssueResponse {
  /**
   * Number within the project.
   * @example 7
   */
  iid: number;
  title: string;
  state: IssueState;
  /** @example https://guildhall.example.com/tools/lathe/-/issues/7 */
  web_url: string;
}

/** Error: a group of similar events. */
export interface ErrorResponse {
  id: number;
  project_id: number;
  /**
   * Type and first line of the message.
   * @example TypeError: Cannot read properties of undefined
   */
  title: string;
  /** @example TypeError */
  type: string | null;
  /**
   * Value of the newest exception, or the newest message.
   * @example Cannot read properties of undefined
   */
  message: string | null;
  /**
   * Culprit: the transaction, or function and module.
   * @example checkout(shop.cart)
   */
  culprit: string;
  /** @example javascript */
  platform: string;
  level: ErrorLevel;
  logger: string | null;
  /** True if the newest event ended the program or reached its last handler. */
  unhandled: boolean;
  status: ErrorStatus;
  first_seen: string;
  last_seen: string;
  /**
   * Number of events, stored or not.
   * @example 1024
   */
  count: number;
  /**
   * Number of distinct affected users; counted up to 10,000.
   * @example 17
   */
  user_count: number;
  /** @example lathe@1.4.0 */
  first_release_version: string | null;
  /** @example lathe@1.5.2 */
  last_release_version: string | null;
  /** Time of the last regression: an event after the error was resolved. */
  regressed_at: string | null;
  /**
   * Newest release when the error was resolved in the next release: only events of a newer one
   * reopen it.
   * @example lathe@1.5.2
   */
  resolved_release: string | null;
  /** End of the status `ignored`. */
  ignored_until: string | null;
  /**
   * Number of events at which the status `ignored` ends.
   * @example 1124
   */
  ignored_until_count: number | null;
  assignee: UserBasicResponse | null;
  issue: ErrorIssueResponse | null;
  /** @example https://guildhall.example.com/tools/lathe/-/error_tracking/42/details */
  web_url: string;
}

/** One value of a tag. */
interface TagValueResponse {
  /** @example production */
  value: string;
  /**
   * Number of events with the value.
   * @example 1000
   */
  count: number;
}

/** Tag values of an error's events. */
export interface ErrorTagResponse {
  /** @example environment */
  key: string;
  /**
   * Number of events with the tag.
   * @example 1024
   */
  total: number;
  /** The ten most frequent values. */
  values: TagValueResponse[];
}

/** Error with its details. */
export interface ErrorDetailsResponse extends ErrorResponse {
  /**
   * Events of the last 24 hours by hour: start of the hour in Unix time, and number of events.
   * @example [[1767225600, 3], [1767229200, 0]]
   */
  frequency: number[][];
  /** Most frequent values of each tag, by key. */
  tags: Record<string, TagValueResponse[]>;
}

/** An error after a change. */
export interface ErrorChangeResponse extends ErrorDetailsResponse {
  /**
   * Number of the issue that was closed together with the error.
   * @example 7
   */
  closed_issue_iid: number | null;
}

/** Result of updating several errors. */
export interface ErrorChangesResponse {
  /** Number of errors that have the requested status now. */
  updated_ids: number[];
  /** Numbers of the issues that were closed together with their errors. */
  closed_issue_iids: number[];
}

/** Events of a day. */
export interface ErrorDayResponse {
  /** UTC. */
  day: string;
  /**
   * Events.
   * @example 12
   */
  count: number;
}

/** Where an error is presented. */
export interface ErrorPresentation {
  project: ProjectRow;
  baseUrl: string;
}

/** Details of a single error besides its row. */
interface ErrorSurroundings {
  /** Events of the last hours. */
  hours: readonly number[];
  firstHour: Date;
  tags: readonly TagDistribution[];
}

const HOUR_SECONDS = 3_600;

/** An error in a list. */
export function presentError(
  row: ErrorGroupRow,
  { project, baseUrl }: ErrorPresentation,
): ErrorResponse {
  const { issue } = row;
  return {
    id: row.id,
    project_id: row.projectId,
    title: errorTitle(row),
    type: row.type,
    message: row.value,
    culprit: row.culprit,
    platform: row.platform,
    level: ERROR_LEVELS[row.level] ?? 'error',
    logger: row.logger,
    unhandled: row.isUnhandled,
    status: ERROR_STATUSES[row.status] ?? 'unresolved',
    first_seen: row.firstSeenAt.toISOString(),
    last_seen: row.lastSeenAt.toISOString(),
    count: row.eventsCount,
    user_count: row.usersCount,
    first_release_version: row.firstRelease,
    last_release_version: row.lastRelease,
    regressed_at: row.regressedAt?.toISOString() ?? null,
    resolved_release: row.resolvedRelease,
    ignored_until: row.ignoredUntil?.toISOString() ?? null,
    ignored_until_count: row.ignoredUntilCount,
    assignee: row.assignee && presentUserBasic(row.assignee, baseUrl),
    issue: issue && { ...issue, web_url: `${baseUrl}${issuePath(project, issue.iid)}` },
    web_url: `${baseUrl}${errorPath(project, row.id)}`,
  };
}

/** Returns an error with its details. */
export function presentErrorDetails(
  row: ErrorGroupRow,
  { hours, firstHour, tags }: ErrorSurroundings,
  presentation: ErrorPresentation,
): ErrorDetailsResponse {
  const start = firstHour.getTime() / 1_000;
  return {
    ...presentError(row, presentation),
    frequency: hours.map((count, at) => [start + at * HOUR_SECONDS, count]),
    tags: Object.fromEntries(tags.map(({ key, values }) => [key, values])),
  };
}
