import type {
  NotificationKind,
  NotificationTarget,
} from '../../core/activity/notifications.repository.js';
import { ACTIVE_MEMBERSHIP } from '../../identity/members/member-source.js';
import { NO_ACCESS, ROLES } from '../../identity/members/roles.js';
import { NOTIFICATION_LEVELS } from '../../workspace/subscriptions/notification-levels.js';
import {
  addressSql,
  projectMailSql,
  suppressedSql,
} from '../../workspace/subscriptions/sql/email-addresses.js';
import { levelRule, MAIL_REASONS } from '../notification-values.js';
import { readableSql, receivesMailSql, targetSql } from './access.js';
import { candidates, isOfThread, PARTS, personRow, type Part } from './candidates.js';
import { MENTIONED_USERS, mentionsSql } from './mentioned-users.js';

/** A setting for the project itself counts before those for the groups, however deep they are. */
const PROJECT_DEPTH = 1_000_000;

const NOT_GLOBAL = `s.level <> ${NOTIFICATION_LEVELS.global}`;

/** Global level of a user; `participating` by default. */
const EVERYWHERE = `coalesce(nullif(g.level, ${NOTIFICATION_LEVELS.global}),
  ${NOTIFICATION_LEVELS.participating})`;
const LEVEL = `coalesce(r.setting[2], ${EVERYWHERE})`;
const EVENTS = 'coalesce(r.setting[3], g.events, 0)';

/**
 * SQL that returns for `o` (at most one row of notifications) the emails to create:
 * `recipient`, `user_id`, `reason`, each user once.
 *
 * Collects everything about users as rows (`PersonRow`) and groups them by user: joins of
 * intermediate results would be planned for a few rows, and there can be ten thousand.
 */
export function recipientsSql(kind: NotificationKind, target: NotificationTarget): string {
  const named = mentionsSql(kind, target);
  const rows = [
    ...memberRows(kind, target),
    ...settingRows(kind, target),
    ...candidates(kind, target),
    ...(named === null ? [] : MENTIONED_USERS),
  ];
  return `location AS MATERIALIZED (
    SELECT p.id AS project_id, n.traversal_ids, n.owner_id
    FROM o JOIN projects p ON p.id = o.project_id JOIN namespaces n ON n.id = p.namespace_id),
  memberships AS MATERIALIZED (${membershipsSql(target)}),
  ${named === null ? '' : `named AS MATERIALIZED (${named}),`}
  people AS MATERIALIZED (
    SELECT user_id, max(access) AS access, max(setting) AS setting,
      ${(Object.keys(PARTS) as Part[]).map(grouped).join(',\n      ')}
    FROM (${rows.join('\n    UNION ALL ')}) known GROUP BY user_id),
  recipients AS (
    SELECT a.address AS recipient, u.id AS user_id,
      CASE WHEN ${isActor(kind)} THEN ${MAIL_REASONS.own_activity} ELSE ${strongest(kind)} END AS reason
    FROM o JOIN projects p ON p.id = o.project_id JOIN namespaces n ON n.id = p.namespace_id
      ${targetSql}
      CROSS JOIN people r JOIN users u ON u.id = r.user_id
      LEFT JOIN notification_settings g
        ON g.user_id = r.user_id AND num_nonnulls(g.project_id, g.namespace_id) = 0
      CROSS JOIN LATERAL (SELECT ${addressSql} AS address OFFSET 0) a
    WHERE ${receivesMailSql} AND ${projectMailSql}
      AND (NOT coalesce(${isActor(kind)}, false) OR g.own_activity)
      AND (${TELLING.map((part) => passes(kind, part)).join(' OR ')})
      AND ${readableSql(`coalesce(r.access, ${NO_ACCESS})`)}
      AND NOT ${suppressedSql('a.address')})`;
}

const TELLING = ['mention', 'participating', 'watch', 'subscription'] as const;

/**
 * True for the actor of the notification. The author of an auto-merge does not count as its actor.
 */
function isActor(kind: NotificationKind): string {
  const self = 'u.id = o.actor_id';
  if (kind !== 'merge_merge_request') return self;
  return `(${self} AND NOT EXISTS (SELECT FROM merge_requests auto
    WHERE auto.id = o.target_id AND auto.auto_merge_user_id = o.actor_id))`;
}

function grouped(part: Part): string {
  const own = `FILTER (WHERE part = ${PARTS[part]})`;
  const reason = `min(reason) ${own} AS ${part}_reason`;
  return `count(*) ${own} > 0 AS ${part}${part === 'declined' ? '' : `, ${reason}`}`;
}

/** Returns the test of a user's level. Unsubscribed users are notified of mentions only. */
function passes(kind: NotificationKind, part: (typeof TELLING)[number]): string {
  const test = levelTestSql(kind, part, { level: LEVEL, events: EVENTS });
  return `(r.${part}${part === 'mention' ? '' : ' AND NOT r.declined'} AND ${test})`;
}

/** Returns the strongest part of a user; only parts with a notification count. */
function strongest(kind: NotificationKind): string {
  const reasons = TELLING.map(
    (part) => `CASE WHEN ${passes(kind, part)} THEN r.${part}_reason END`,
  );
  return `least(${reasons.join(', ')})`;
}

/** Returns the roles of users in the project; pipelines need only the user who ran them. */
function membershipsSql(target: NotificationTarget): string {
  const whose = `${ACTIVE_MEMBERSHIP}${
    target === 'pipeline'
      ? ' AND m.user_id = (SELECT l.user_id FROM o JOIN pipelines l ON l.id = o.target_id)'
      : ''
  }`;
  return `
    SELECT m.user_id, m.access_level FROM location JOIN members m ON m.project_id = location.project_id
      WHERE ${whose}
    UNION ALL SELECT m.user_id, m.access_level
      FROM location JOIN members m ON m.namespace_id = ANY(location.traversal_ids) WHERE ${whose}
    UNION ALL SELECT owner_id, ${ROLES.owner} FROM location WHERE owner_id IS NOT NULL`;
}

function memberRows(kind: NotificationKind, target: NotificationTarget): string[] {
  const watch = String(PARTS.watch);
  const keepers = `CASE WHEN h.access_level >= ${ROLES.maintainer} THEN ${watch} END`;
  const part = target === 'project' ? keepers : isOfThread(kind, target) ? watch : 'NULL';
  return [`${personRow({ user: 'h.user_id', part, access: 'h.access_level' })} FROM memberships h`];
}

/** Settings count for everyone; having one makes someone watch who is no member. */
function settingRows(kind: NotificationKind, target: NotificationTarget): string[] {
  const part = isOfThread(kind, target) ? String(PARTS.watch) : 'NULL';
  const row = (depth: string): string =>
    personRow({
      user: 's.user_id',
      part,
      setting: `CASE WHEN ${NOT_GLOBAL} THEN ARRAY[${depth}, s.level, s.events] END`,
    });
  return [
    `${row(String(PROJECT_DEPTH))}
      FROM location JOIN notification_settings s ON s.project_id = location.project_id`,
    `${row('array_position(location.traversal_ids, s.namespace_id)')}
      FROM location JOIN notification_settings s ON s.namespace_id = ANY(location.traversal_ids)`,
  ];
}

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

/**
 * Returns SQL for "a user with level `level` (SQL) is notified of this notification as `part`";
 * `events` (SQL) are the switches of the level. Subscribers pass at every level.
 */
function levelTestSql(
  kind: NotificationKind,
  part: Exclude<Part, 'declined'>,
  { level, events }: { level: string; events: string },
): string {
  if (part === 'subscription') return 'true';
  const rule = levelRule(kind, part);
  const always = rule.levels.length === 0 ? 'false' : `${level} IN (${rule.levels.join(', ')})`;
  return `(${always}
    OR (${level} = ${NOTIFICATION_LEVELS.custom} AND ${events} & ${rule.events} <> 0))`;
}
