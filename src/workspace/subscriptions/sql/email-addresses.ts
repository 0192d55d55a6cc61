/** Failures within a day after which an address gets no more emails that day. */
const MAX_PERMANENT_FAILURES = 5;
const MAX_TEMPORARY_FAILURES = 300;

/**
 * SQL for "project `p` with namespace `n` sends emails": neither it nor a group above has disabled
 * them.
 */
export const projectMailSql = `(p.emails_enabled AND NOT EXISTS (SELECT FROM groups g
  WHERE g.id = ANY(n.traversal_ids) AND NOT g.emails_enabled))`;

/**
 * SQL for user `u`'s address for emails about projects of namespace `n`: that of the nearest group
 * with one, else the global one, else the primary email. Only confirmed addresses count.
 */
export const addressSql = `coalesce((SELECT s.email FROM notification_settings s
  WHERE s.user_id = u.id AND s.email IS NOT NULL AND s.project_id IS NULL
    AND (s.namespace_id IS NULL OR s.namespace_id = ANY(n.traversal_ids))
    AND (lower(s.email) = lower(u.email) OR EXISTS (SELECT FROM user_emails e
      WHERE e.user_id = u.id AND lower(e.email) = lower(s.email) AND e.confirmed_at IS NOT NULL))
  ORDER BY array_position(n.traversal_ids, s.namespace_id) DESC NULLS LAST LIMIT 1), u.email)`;

/** SQL for "emails to `address` (SQL) have failed too often today". */
export function suppressedSql(address: string): string {
  return `EXISTS (SELECT FROM failing_addresses f WHERE f.address = lower(${address})
    AND f.since > now() - interval '24 hours'
    AND (f.permanent >= ${MAX_PERMANENT_FAILURES} OR f.temporary >= ${MAX_TEMPORARY_FAILURES}))`;
}
