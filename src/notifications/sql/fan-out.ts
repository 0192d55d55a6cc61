import type { NotificationKind, NotificationTarget } from '../../activity/notification-kinds.js';
import { recipientsSql } from './recipients.js';

/**
 * Statement that creates the emails about notification $1 and marks it as done at $2, both or
 * neither; skips a notification that is done or locked by another worker. Returns the number of
 * `mails`. For commits $3 is the address of the commit's author.
 */
export function fanOutSql(kind: NotificationKind, target: NotificationTarget): string {
  return `WITH o AS MATERIALIZED (
    SELECT * FROM notifications WHERE id = $1 AND mailed_at IS NULL FOR UPDATE SKIP LOCKED),
  ${recipientsSql(kind, target)},
  written AS (
    INSERT INTO outgoing_mails (recipient, kind, notification_id, user_id, reason)
    SELECT r.recipient, '${kind}', o.id, r.user_id, r.reason FROM o CROSS JOIN recipients r
    ORDER BY r.user_id ON CONFLICT DO NOTHING RETURNING 1),
  done AS (UPDATE notifications SET mailed_at = $2 WHERE id IN (SELECT id FROM o))
  SELECT count(*)::integer AS mails FROM written`;
}
