import {
  leaseSql,
  purgeSql,
  releaseSql,
  updateLeasedSql,
  type WorkTable,
} from '../../durable-work/sql/work-statements.js';

export const INSERT_SQL = `
  INSERT INTO outgoing_mails (recipient, kind, encrypted_content)
  SELECT recipient, kind, content FROM unnest($1::text[], $2::text[], $3::text[])
    WITH ORDINALITY AS m (recipient, kind, content, position)
  ORDER BY position`;

const MAILS: WorkTable = {
  table: 'outgoing_mails',
  pending: "w.state = 'queued'",
  order: 'w.not_before, w.id',
};

/**
 * Leases emails about accounts separately, so that they do not wait for those about notifications,
 * and for longer than any attempt takes. Values: now, limit of either kind.
 */
export const LEASE_SQL = leaseSql(MAILS, {
  columns: `w.id, w.recipient, w.kind, w.notification_id AS "notificationId", w.user_id AS "userId",
    w.reason, w.encrypted_content AS "encryptedContent", w.attempts, w.created_at AS "createdAt"`,
  now: '$1',
  kinds: ['w.notification_id IS NULL', 'w.notification_id IS NOT NULL'],
  limit: '$2',
  seconds: 300,
});

/** Adds the rows that `settled` returned to the counts of today. */
function countedAs(column: string): string {
  return `
  INSERT INTO mail_days AS d (day, ${column})
  SELECT (now() AT TIME ZONE 'UTC')::date, count(*) FROM settled HAVING count(*) > 0
  ON CONFLICT (day) DO UPDATE SET ${column} = d.${column} + excluded.${column}`;
}

/** Applies changes to leased emails and counts them. */
function settleSql(column: string, changes: string): string {
  return `
  WITH settled AS (${updateLeasedSql(MAILS, changes)} RETURNING w.id)
  ${countedAs(column)}`;
}

/** Also deletes the failures of the addresses. Values: those of leases, recipients, now. */
export const SENT_SQL = `
  WITH settled AS (
    ${updateLeasedSql(
      MAILS,
      `state = 'sent', encrypted_content = NULL, last_error = NULL, recipient = l.recipient, sent_at = $4`,
      { recipient: 'text' },
    )} RETURNING w.id),
  working AS (
    DELETE FROM failing_addresses WHERE address = ANY(SELECT lower(unnest($3::text[]))))
  ${countedAs('sent')}`;

/** Values: those of leases. */
export const WITHHOLD_SQL = settleSql('withheld', `state = 'withheld'`);

/** Values: those of leases, now. */
export const RELEASE_SQL = releaseSql(MAILS, '$3');

/** Values: those of leases, time of the next attempt, error. */
export const RETRY_SQL = settleSql('retried', 'not_before = $3, last_error = $4');

/** Values: those of leases, now, error. */
export const FAIL_SQL = settleSql('failed', `state = 'failed', not_before = $3, last_error = $4`);

/**
 * Uncounts the attempt, or fails emails that were queued too long ago.
 * Values: those of leases, time of the next attempt, error, oldest time of queuing.
 */
export const SERVER_DOWN_SQL = `
  WITH put_off AS (
    ${updateLeasedSql(
      MAILS,
      `attempts = w.attempts - 1, not_before = $3, last_error = $4,
      state = CASE WHEN w.queued_at < $5::timestamptz THEN 'failed' ELSE 'queued' END`,
    )} RETURNING w.id, w.state),
  settled AS (SELECT id FROM put_off WHERE state = 'failed')
  ${countedAs('failed')}`;

/** Emails of one statement, so that none of them locks for long. */
export const PURGE_BATCH = 10_000;

/** Values: end of what is deleted. */
export const PURGE_MAILS_SQL = purgeSql(
  'outgoing_mails',
  `w.state <> 'queued' AND w.created_at < $1::timestamptz`,
  PURGE_BATCH,
);

const IS_TODAY = `f.since > excluded.since - interval '1 day'`;

/**
 * Counts a failure of the day that began with the first one.
 * Values: address, 1 if permanent, 1 if temporary, now.
 */
export const ADDRESS_REFUSED_SQL = `
  INSERT INTO failing_addresses AS f (address, permanent, temporary, since)
  VALUES (lower($1), $2, $3, $4)
  ON CONFLICT (address) DO UPDATE SET
    permanent = excluded.permanent + CASE WHEN ${IS_TODAY} THEN f.permanent ELSE 0 END,
    temporary = excluded.temporary + CASE WHEN ${IS_TODAY} THEN f.temporary ELSE 0 END,
    since = CASE WHEN ${IS_TODAY} THEN f.since ELSE excluded.since END`;

export const PURGE_ADDRESSES_SQL = `
  DELETE FROM failing_addresses WHERE since < $1::timestamptz - interval '1 day'`;

/** Values: kind, part of the address. */
export const FAILED_MAILS = `m.state = 'failed' AND ($1::text IS NULL OR m.kind = $1)
  AND ($2::text IS NULL OR position(lower($2) IN lower(m.recipient)) > 0)`;

export const FAILED_KINDS_SQL = `
  SELECT kind FROM outgoing_mails WHERE state = 'failed' GROUP BY kind ORDER BY kind`;

/** Values: those of FAILED_MAILS, now. */
export const RETRY_ALL_SQL = `
  WITH retried AS (
    UPDATE outgoing_mails m SET state = 'queued', attempts = 0, not_before = $3, queued_at = $3
    WHERE ${FAILED_MAILS} RETURNING 1)
  SELECT count(*)::int AS count FROM retried`;

const WAITING = [`notification_id IS NULL`, `notification_id IS NOT NULL`]
  .map(
    (which) => `SELECT attempts, last_error, queued_at FROM outgoing_mails
      WHERE state = 'queued' AND ${which}`,
  )
  .join(' UNION ALL ');

export const COUNTS_SQL = `
  SELECT w.queued, w.retrying, extract(epoch FROM $1::timestamptz - w.oldest)::float8 AS oldest,
    (SELECT count(*)::int FROM outgoing_mails WHERE state = 'failed') AS failed, d.totals
  FROM (SELECT count(*)::int AS queued, count(*) FILTER (WHERE last_error IS NOT NULL)::int AS retrying,
      min(queued_at) AS oldest FROM (${WAITING}) m) w,
    (SELECT json_build_object('sent', coalesce(sum(sent), 0), 'failed', coalesce(sum(failed), 0),
      'withheld', coalesce(sum(withheld), 0), 'retried', coalesce(sum(retried), 0)) AS totals
      FROM mail_days) d`;

export const DAYS_SQL = `
  SELECT to_char(g.day, 'YYYY-MM-DD') AS day, coalesce(sent, 0) AS sent,
    coalesce(failed, 0) AS failed, coalesce(withheld, 0) AS withheld
  FROM generate_series(($1::timestamptz AT TIME ZONE 'UTC')::date - ($2::int - 1),
    ($1::timestamptz AT TIME ZONE 'UTC')::date, interval '1 day') g (day)
  LEFT JOIN mail_days d ON d.day = g.day::date ORDER BY g.day`;
