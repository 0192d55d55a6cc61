import { ERROR_ACTIONS, ERROR_STATUS, type ErrorStatus } from '../error-values.js';

/** More are counted, not listed. */
const MAX_LINKED = 20;

/** First errors of an issue. $1 = issue, $2 = project. */
export const LINKED_SQL = `SELECT id, type, value, culprit, level, status, events_count AS "eventsCount",
    last_seen_at AS "lastSeenAt", count(*) OVER ()::int AS total
  FROM errors WHERE issue_id = $1 AND project_id = $2 ORDER BY status, id LIMIT ${MAX_LINKED}`;

/** Open issues of errors. $1 = project, $2 = errors. */
export const OPEN_ISSUES_SQL = `
  SELECT DISTINCT i.id, i.iid FROM errors e
  JOIN issues i ON i.id = e.issue_id AND i.project_id = e.project_id
  WHERE e.project_id = $1 AND (e.id = ANY($2::bigint[]) OR e.merged_into_id = ANY($2::bigint[]))
    AND i.state = 'opened'`;

/** A status to set, with the condition that ends it. */
export interface ConditionalStatus {
  status: ErrorStatus;
  userId: number;
  /** Newest release of the project: only events of a newer one reopen the errors. */
  release: string | null;
  /** End of an ignored status. */
  until: Date | null;
  /** Number of further events that end an ignored status. */
  events: number | null;
  /** The condition, for the activity of the errors. */
  detail: string | null;
}

/** Errors that have the status without a condition stay as they are. */
export const STATUS_SQL = `
  WITH changed AS (
    UPDATE errors SET status = $2, status_changed_at = now(), status_changed_by_id = $3,
      resolved_release = $4, ignored_until = $5, ignored_until_count = events_count + $6::bigint,
      updated_at = now()
    WHERE id = ANY($1::bigint[]) AND (status <> $2 OR num_nonnulls(resolved_release, ignored_until,
      ignored_until_count, $4::text, $5::timestamptz, $6::bigint) > 0)
    RETURNING id
  )
  INSERT INTO error_activities (error_id, actor_id, action, detail)
  SELECT id, $3, $7::smallint, $8::text FROM changed ORDER BY id`;

/** Errors per statement, to keep it short. */
const ENDED_IGNORES = 200;

/** In the order of ids, as counting events locks them; locked ones wait for the next statement. */
export const END_IGNORES_SQL = `
  WITH ended AS (
    UPDATE errors SET status = ${ERROR_STATUS.unresolved}, ignored_until = NULL,
      ignored_until_count = NULL, updated_at = now()
    WHERE id = ANY(ARRAY(SELECT id FROM errors WHERE ignored_until <= $1
      ORDER BY id LIMIT ${ENDED_IGNORES} FOR NO KEY UPDATE SKIP LOCKED))
    RETURNING id
  )
  INSERT INTO error_activities (error_id, action)
  SELECT id, ${ERROR_ACTIONS.indexOf('ignore_ended')} FROM ended ORDER BY id RETURNING id`;
