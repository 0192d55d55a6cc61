/** So many failures within a day, and an address gets no mails for the rest of it. */
const MAX_PERMANENT_FAILURES = 5;
const MAX_TEMPORARY_FAILURES = 300;

/** SQL for "project `p` with namespace `n` sends mails": neither it nor a group above says no. */
export const projectMailSql = `(p.emails_enabled AND NOT EXISTS (SELECT FROM groups g
  WHERE g.id = ANY(n.traversal_ids) AND NOT g.emails_enabled))`;

/**
 * SQL for the address that mails about projects of namespace `n` go to, of user `u`: that of the
 * nearest group with one, else the one chosen for everything, else the primary one. Only addresses
 * that the user has confirmed count.
 */
export const addressSql = `coalesce((SELECT s.email FROM notification_settings s
  WHERE s.user_id = u.id AND s.email IS NOT NULL AND s.project_id IS NULL
    AND (s.namespace_id IS NULL OR s.namespace_id = ANY(n.traversal_ids))
    AND (lower(s.email) = lower(u.email) OR EXISTS (SELECT FROM user_emails e
      WHERE e.user_id = u.id AND lower(e.email) = lower(s.email) AND e.confirmed_at IS NOT NULL))
  ORDER BY array_position(n.traversal_ids, s.namespace_id) DESC NULLS LAST LIMIT 1), u.email)`;

/** SQL for "mails to `address` (SQL) have failed too often today". */
export function suppressedSql(address: string): string {
  return `EXISTS (SELECT FROM failing_addresses f WHERE f.address = lower(${address})
    AND f.since > now() - interval '24 hours'
    AND (f.permanent >= ${MAX_PERMANENT_FAILURES} OR f.temporary >= ${MAX_TEMPORARY_FAILURES}))`;
}
