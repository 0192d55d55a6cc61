import type {
  NotificationKind,
  NotificationTarget,
} from '../../core/activity/notifications.repository.js';
import { ACTIVE_MEMBERSHIP } from '../../identity/members/member-source.js';
import { ROLES } from '../../identity/members/roles.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import { MAIL_REASONS } from '../notification-values.js';
import { OF_LABELS, PARTS, personRow, THREADS } from './candidates.js';

const AS_MENTIONED = `${PARTS.mention} AS part, ${MAIL_REASONS.mentioned} AS reason`;
const AS_PARTICIPANT = `${PARTS.participating} AS part, NULL::integer AS reason`;

const DETAILS = `o.details -> 'named'`;

/** Users whom a changed text mentions; only they are notified. */
const MENTIONS_IN_DETAILS = `
  SELECT value::bigint AS user_id, NULL::bigint AS namespace_id, o.actor_id AS namer, ${AS_MENTIONED}
    FROM o, jsonb_array_elements_text(${DETAILS} -> 'userIds')
  UNION ALL SELECT NULL, value::bigint, o.actor_id, ${AS_MENTIONED}
    FROM o, jsonb_array_elements_text(${DETAILS} -> 'namespaceIds')
  UNION ALL SELECT NULL, NULL, o.actor_id, ${AS_MENTIONED} FROM o WHERE (${DETAILS} ->> 'all')::boolean`;

/**
 * SQL for the mentions in texts, `named`: users, groups, or everyone (neither), each with who named
 * them and the part that it gives them: those of new texts mention, those of older ones make
 * participants.
 */
export function mentionsSql(kind: NotificationKind, target: NotificationTarget): string | null {
  if (kind === 'mention_in_issue' || kind === 'mention_in_merge_request')
    return MENTIONS_IN_DETAILS;
  const thread = THREADS[target];
  if (thread === undefined || OF_LABELS.has(kind)) return null;
  const isNew = kind === 'new_issue' || kind === 'new_merge_request';
  return `
  SELECT m.user_id, m.namespace_id, ${thread.author} AS namer,
      ${isNew ? AS_MENTIONED : AS_PARTICIPANT}
    FROM o JOIN mentions m ON ${thread.mentions}
  UNION ALL SELECT m.user_id, m.namespace_id, k.author_id, ${AS_PARTICIPANT}
    FROM o JOIN notes k ON ${thread.notes} JOIN mentions m ON m.note_id = k.id
  UNION ALL SELECT m.user_id, m.namespace_id, o.actor_id, ${AS_MENTIONED}
    FROM o JOIN mentions m ON m.note_id = o.note_id`;
}

/**
 * True if author `a` can see the mentioned group `g` with namespace `x` (API doc, Visibility);
 * otherwise the mention has no effect.
 */
export const SEES_GROUP = `(a.admin OR g.visibility >= CASE WHEN a.external
    THEN ${VISIBILITY.public} ELSE ${VISIBILITY.internal} END
  OR EXISTS (SELECT FROM members m WHERE m.user_id = a.id AND m.namespace_id = ANY(x.traversal_ids)
    AND m.access_level >= ${ROLES.guest} AND ${ACTIVE_MEMBERSHIP}))`;

/** Groups that are mentioned, each once: a thread can mention one a thousand times. */
const MENTIONED_GROUPS = `SELECT x.traversal_ids, w.part, min(w.reason) AS reason
  FROM (SELECT DISTINCT namespace_id, namer, part, reason FROM named) w
  JOIN namespaces x ON x.id = w.namespace_id JOIN groups g ON g.id = x.id
  JOIN users a ON a.id = w.namer
  WHERE NOT g.pending_delete AND ${SEES_GROUP}
  GROUP BY x.id, w.part`;

/**
 * Rows about the users behind those mentions: members of groups, those of the groups above included;
 * `@all` are the members of the project (`memberships`).
 */
export const MENTIONED_USERS: readonly string[] = [
  `${row('w.user_id')} FROM named w WHERE w.user_id IS NOT NULL`,
  `${row('m.user_id')} FROM (${MENTIONED_GROUPS}) w
    JOIN members m ON m.namespace_id = ANY(w.traversal_ids)
    WHERE m.access_level >= ${ROLES.guest} AND ${ACTIVE_MEMBERSHIP}`,
  // Grouped: a thread can contain `@all` a thousand times.
  `${row('h.user_id')} FROM memberships h CROSS JOIN (SELECT part, min(reason) AS reason FROM named
    WHERE user_id IS NULL AND namespace_id IS NULL GROUP BY part) w`,
];

function row(user: string): string {
  return personRow({ user, part: 'w.part', reason: 'w.reason' });
}
