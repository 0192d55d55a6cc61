/** Longer than any attempt takes: then the worker that has the mail is gone. */
const LEASE_SECONDS = 300;

/**
 * Mails about accounts first: they do not wait for those about notices. The database rounds to
 * milliseconds and our clock cuts them off: a mail that was written just now may seem to be of the
 * next one. Values: now, how many of either sort.
 */
export const CLAIM_SQL = `
  WITH own AS (${dueSql('notice_id IS NULL')}), about_notices AS (${dueSql('notice_id IS NOT NULL')})
  UPDATE outgoing_mails SET attempts = attempts + 1,
    not_before = $1::timestamptz + ${LEASE_SECONDS} * interval '1 second'
  WHERE id IN (SELECT id FROM own UNION ALL SELECT id FROM about_notices)
  RETURNING id, recipient, kind, notice_id AS "noticeId", user_id AS "userId", reason,
    sealed_content AS "sealedContent", attempts, not_before AS "leaseEnd",
    created_at AS "createdAt"`;

function dueSql(which: string): string {
  return `
    SELECT id FROM outgoing_mails WHERE state = 'queued' AND ${which}
      AND not_before <= $1::timestamptz + interval '1 millisecond'
    ORDER BY not_before, id LIMIT $2 FOR UPDATE SKIP LOCKED`;
}

/** Only by the worker that still has it: a later claim has another end. */
const MINE = `m.id = given.id AND m.not_before = given.lease_end AND m.state = 'queued'`;
const GIVEN = `unnest($1::bigint[], $2::timestamptz[]) AS given (id, lease_end)`;

/** Counts the rows that `settled` returned for the chart of the days. */
function countedAs(column: string): string {
  return `
  INSERT INTO mail_days AS d (day, ${column})
  SELECT (now() AT TIME ZONE 'UTC')::date, count(*) FROM settled HAVING count(*) > 0
  ON CONFLICT (day) DO UPDATE SET ${column} = d.${column} + excluded.${column}`;
}

/** Their addresses work. Values: ids, ends of leases, recipients, now. */
export const SENT_SQL = `
  WITH settled AS (
    UPDATE outgoing_mails m SET state = 'sent', sealed_content = NULL, last_error = NULL,
      recipient = given.recipient, sent_at = $4
    FROM unnest($1::bigint[], $2::timestamptz[], $3::text[]) AS given (id, lease_end, recipient)
    WHERE ${MINE} RETURNING m.id),
  working AS (
    DELETE FROM failing_addresses WHERE address = ANY(SELECT lower(unnest($3::text[]))))
  ${countedAs('sent')}`;

/** There is nothing that their readers may see. Values: ids, ends of leases. */
export const WITHHELD_SQL = `
  WITH settled AS (
    UPDATE outgoing_mails m SET state = 'withheld' FROM ${GIVEN} WHERE ${MINE} RETURNING m.id)
  ${countedAs('withheld')}`;

/** They were not tried. Values: ids, ends of leases, now. */
export const HAND_BACK_SQL = `
  UPDATE outgoing_mails m SET attempts = attempts - 1, not_before = $3
  FROM ${GIVEN} WHERE ${MINE}`;

/** Values: ids, ends of leases, when, why. */
export const RETRY_SQL = `
  WITH settled AS (
    UPDATE outgoing_mails m SET not_before = $3, last_error = $4
    FROM ${GIVEN} WHERE ${MINE} RETURNING m.id)
  ${countedAs('retried')}`;

/** Values: ids, ends of leases, now, why. */
export const FAILED_SQL = `
  WITH settled AS (
    UPDATE outgoing_mails m SET state = 'failed', not_before = $3, last_error = $4
    FROM ${GIVEN} WHERE ${MINE} RETURNING m.id)
  ${countedAs('failed')}`;

/** No attempt; the old ones have failed. Values: ids, ends of leases, when, why, queued before. */
export const SERVER_AWAY_SQL = `
  WITH put_off AS (
    UPDATE outgoing_mails m SET attempts = attempts - 1, not_before = $3, last_error = $4,
      state = CASE WHEN queued_at < $5::timestamptz THEN 'failed' ELSE 'queued' END
    FROM ${GIVEN} WHERE ${MINE} RETURNING m.id, m.state),
  settled AS (SELECT id FROM put_off WHERE state = 'failed')
  ${countedAs('failed')}`;

export const PURGE_MAILS_SQL = `
  DELETE FROM outgoing_mails WHERE state <> 'queued' AND created_at < $1::timestamptz`;

const IS_TODAY = `f.since > excluded.since - interval '1 day'`;

/**
 * One more refusal of the day that began with the first one.
 * Values: address, 1 when for good, 1 when for now, now.
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
