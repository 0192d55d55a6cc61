/** Errors per transaction, to keep each one short. */
const CHUNK = 200;

/** The day of what does not expire. */
const NEVER = '9999-12-31';

/**
 * The errors after $2 that have events expiring on $1, each with its first and its newest event of
 * all days. The errors are found by skipping from one to the next in the index.
 */
export const ENDS_SQL = `
  WITH RECURSIVE found AS (
    (SELECT error_id FROM error_events WHERE expires_on = $1 AND error_id > $2
     ORDER BY error_id LIMIT 1)
    UNION ALL
    SELECT (SELECT e.error_id FROM error_events e WHERE e.expires_on = $1
      AND e.error_id > found.error_id ORDER BY e.error_id LIMIT 1)
    FROM found WHERE found.error_id IS NOT NULL
  ), chunk AS (SELECT error_id FROM found WHERE error_id IS NOT NULL LIMIT ${CHUNK})
  SELECT c.error_id AS "errorId", ARRAY[
    (SELECT id FROM error_events WHERE error_id = c.error_id ORDER BY id LIMIT 1),
    (SELECT id FROM error_events WHERE error_id = c.error_id ORDER BY id DESC LIMIT 1)] AS ends
  FROM chunk c`;

/** To another partition: there is no moment in which an event is in both, or in none. */
export const KEEP_SQL = `
  UPDATE error_events SET expires_on = '${NEVER}' WHERE expires_on = $1 AND id = ANY($2)
  RETURNING id`;

/** Deletes stored events that are neither the first nor the newest event of their error. */
export const RELEASE_SQL = `
  DELETE FROM error_events
  WHERE expires_on = '${NEVER}' AND error_id = ANY($1) AND id <> ALL($2)`;

/** Days after the current one that have their partitions already. */
const DAYS_AHEAD = 3;

/**
 * Days without a partition: the coming ones for each number of days for which someone keeps
 * events, and those whose rows wait in a default partition, because a number is new or no worker
 * was there when they began.
 */
export const MISSING_PARTITIONS_SQL = `
  WITH today AS (SELECT ($1::timestamptz AT TIME ZONE 'UTC')::date AS day),
    ahead AS (SELECT day + n AS day FROM today, generate_series(0, ${DAYS_AHEAD}) AS n)
  SELECT parent AS table, wanted.day FROM (
    SELECT 'error_event_ids' AS parent, day FROM ahead
    UNION SELECT 'error_events', day + days FROM ahead,
      (SELECT $2::int AS days
       UNION SELECT retention_days FROM error_tracking_settings WHERE retention_days IS NOT NULL) r
    UNION SELECT 'error_event_ids', day FROM error_event_ids_default
    UNION SELECT 'error_events', expires_on FROM error_events_default
  ) wanted
  WHERE NOT EXISTS (SELECT FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = parent::regclass
      AND c.relname = parent || '_' || to_char(wanted.day, 'YYYYMMDD'))
  ORDER BY parent, wanted.day`;

export const ENSURE_PARTITION_SQL = 'SELECT ensure_error_partition($1, $2, $3::date)';

/** Days of a table before $2, the oldest first. */
export const OLD_PARTITIONS_SQL = `
  SELECT day FROM (
    SELECT to_date(right(c.relname, 8), 'YYYYMMDD') AS day
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = $1::regclass AND c.relname ~ '_[0-9]{8}$') days
  WHERE day < $2::date ORDER BY day`;

/** Errors that are looked at, and those that are deleted, by one statement. */
const ERRORS_CHUNK = 1_000;

/** Errors per statement: deletes cascade to tags, users and events. */
const DELETED_ERRORS = 50;

/** The next errors after $1, as far as the id of the last of them. */
export const LAST_OF_CHUNK_SQL = `
  SELECT max(id) AS last FROM
    (SELECT id FROM errors WHERE id > $1 ORDER BY id LIMIT ${ERRORS_CHUNK}) chunk`;

/** Locked errors are in use and are left to the next day. */
export const DELETE_UNSEEN_SQL = `
  DELETE FROM errors WHERE id = ANY(ARRAY(
    SELECT id FROM errors WHERE last_seen_at < $1 AND issue_id IS NULL AND merged_into_id IS NULL
    LIMIT ${DELETED_ERRORS} FOR UPDATE SKIP LOCKED))
  RETURNING id`;
