import { MAX_USERS } from '../ingest/grouped-events.js';
import { ERROR_STATUS, MERGED_STATUS } from '../error-values.js';
import { OF_NEWEST } from './group-ingest.js';

const OWN = [...OF_NEWEST, 'first_seen_at', 'last_seen_at', 'first_release'].join(', ');

/** $1 = target. */
export const KEEP_OWN_SQL = `
  INSERT INTO error_own_values (error_id, ${OWN})
  SELECT id, ${OWN} FROM errors WHERE id = $1 ON CONFLICT DO NOTHING`;

/** $1 = target, $2 = errors. */
export const SET_TARGET_SQL = `
  UPDATE errors SET merged_into_id = $1, status = ${MERGED_STATUS}, resolved_release = NULL,
    ignored_until = NULL, ignored_until_count = NULL, updated_at = now()
  WHERE id = ANY($2::bigint[])`;

/** $1 = target, or null for none; $2 = errors. */
export const POINT_HASHES_SQL = `
  UPDATE error_hashes SET target_id = $1 WHERE error_id = ANY($2::bigint[])`;

/** $1 = error. */
export const CLEAR_TARGET_SQL = `
  UPDATE errors SET merged_into_id = NULL, status = ${ERROR_STATUS.unresolved}, updated_at = now()
  WHERE id = $1`;

/** $1 = target, $2 = errors whose events it gains (1) or gives back (-1, $3). */
export const ADD_COUNTERS_SQL = `
  UPDATE errors e SET events_count = e.events_count + $3::int * added.events
  FROM (SELECT coalesce(sum(events_count), 0)::bigint AS events FROM errors
    WHERE id = ANY($2::bigint[])) added
  WHERE e.id = $1`;

export const ADD_TRENDS_SQL = `
  INSERT INTO error_trends AS t (error_id, hour, events_count)
  SELECT $1::bigint, hour, $3::int * sum(events_count) FROM error_trends
  WHERE error_id = ANY($2::bigint[]) GROUP BY hour
  ON CONFLICT (error_id, hour) DO UPDATE SET events_count = t.events_count + excluded.events_count`;

export const ADD_TAGS_SQL = `
  INSERT INTO error_tags AS t (error_id, key, value, project_id, events_count, last_seen_at)
  SELECT $1::bigint, key, value, min(project_id), $3::int * sum(events_count), max(last_seen_at)
  FROM error_tags WHERE error_id = ANY($2::bigint[]) GROUP BY key, value
  ON CONFLICT (error_id, key, value) DO UPDATE SET
    events_count = t.events_count + excluded.events_count,
    last_seen_at = greatest(t.last_seen_at, excluded.last_seen_at)`;

/** Tags and hours that only the errors had that were given back. */
export const DELETE_EMPTY_TRENDS_SQL =
  'DELETE FROM error_trends WHERE error_id = $1 AND events_count <= 0';
export const DELETE_EMPTY_TAGS_SQL =
  'DELETE FROM error_tags WHERE error_id = $1 AND events_count <= 0';

/** Own values of a target and those of the errors merged into it. */
const FAMILY = `
  SELECT ${OWN} FROM error_own_values WHERE error_id = $1
  UNION ALL SELECT ${OWN} FROM errors WHERE merged_into_id = $1`;

/** Derives what a target shows from its own values and those of the errors merged into it. */
export const REFRESH_SQL = `
  WITH family AS MATERIALIZED (${FAMILY}),
    newest AS (SELECT * FROM family ORDER BY last_seen_at DESC LIMIT 1),
    oldest AS (SELECT * FROM family ORDER BY first_seen_at LIMIT 1)
  UPDATE errors e SET ${OF_NEWEST.map((name) => `${name} = newest.${name}`).join(', ')},
    last_seen_at = newest.last_seen_at, first_seen_at = oldest.first_seen_at,
    first_release = oldest.first_release, updated_at = now(),
    has_merged = EXISTS (SELECT FROM errors WHERE merged_into_id = $1),
    users_count = (SELECT count(*) FROM (SELECT DISTINCT u.user_hash FROM error_users u
      WHERE u.error_id = $1 OR u.error_id IN (SELECT id FROM errors WHERE merged_into_id = $1)
      LIMIT ${MAX_USERS}) users)
  FROM newest, oldest WHERE e.id = $1`;

/** A target without merged errors has no values besides its own. */
export const FORGET_OWN_SQL = `
  DELETE FROM error_own_values WHERE error_id = $1
    AND NOT EXISTS (SELECT FROM errors WHERE merged_into_id = $1)`;

/** Merged errors of a target, in the order of their ids. $1 = target. */
export const MERGED_SQL = `
  SELECT id, type, value, culprit, events_count AS "eventsCount", last_seen_at AS "lastSeenAt"
  FROM errors WHERE merged_into_id = $1 ORDER BY id`;

/** $1 = project, $2 = errors; with all that are merged into them, in the order of locks. */
export const LOCK_FAMILIES_SQL = `
  SELECT id, merged_into_id AS "mergedIntoId", updated_at AS "updatedAt", type, value, culprit
  FROM errors
  WHERE project_id = $1 AND (id = ANY($2::bigint[]) OR merged_into_id = ANY($2::bigint[]))
  ORDER BY id FOR NO KEY UPDATE`;
