import {
  type NotificationKind,
  NOTIFICATION_KINDS,
  NOTIFICATION_TARGETS,
} from '../../core/activity/notifications.repository.js';
import { MAX_TEXT_LENGTH } from '../../core/mail/email-parts.js';
import { accessLevelSql } from '../../identity/members/sql/access.js';
import { NOTIFICATION_LEVELS } from '../../workspace/subscriptions/notification-levels.js';
import { MAIL_REASONS } from '../notification-values.js';
import {
  addressSql,
  projectMailSql,
  suppressedSql,
} from '../../workspace/subscriptions/sql/email-addresses.js';
import { readableSql, receivesMailSql, targetSql } from './access.js';

const MAX_FAILED_STATUSES = 20;

function kinds(...names: NotificationKind[]): string {
  return names.map((name) => NOTIFICATION_KINDS[name]).join(', ');
}

/** Kinds whose emails show the description of the issue or merge request. */
const WITH_DESCRIPTION = kinds(
  'new_issue',
  'new_merge_request',
  'mention_in_issue',
  'mention_in_merge_request',
);
const OF_PEOPLE = kinds(
  'reassign_issue',
  'reassign_merge_request',
  'change_reviewer_merge_request',
);

const LEVEL = accessLevelSql('u.id', 'n', 'p.id');

/** The nearest level that is set. */
const SETTING = `SELECT s.level, CASE WHEN s.project_id IS NOT NULL THEN 'project'
    WHEN s.namespace_id IS NOT NULL THEN 'group' ELSE 'global' END AS scope
  FROM notification_settings s
  WHERE s.user_id = u.id AND s.level <> ${NOTIFICATION_LEVELS.global} AND (s.project_id = p.id
    OR s.namespace_id = ANY(n.traversal_ids) OR num_nonnulls(s.project_id, s.namespace_id) = 0)
  ORDER BY s.project_id IS NOT NULL DESC,
    array_position(n.traversal_ids, s.namespace_id) DESC NULLS LAST LIMIT 1`;

const IS_THREAD_OFF = `EXISTS (SELECT FROM subscriptions b
  WHERE b.user_id = u.id AND NOT b.subscribed AND CASE o.target_type
    WHEN ${NOTIFICATION_TARGETS.issue} THEN b.issue_id = o.target_id
    WHEN ${NOTIFICATION_TARGETS.merge_request} THEN b.merge_request_id = o.target_id
    WHEN ${NOTIFICATION_TARGETS.snippet} THEN b.snippet_id = o.target_id
    WHEN ${NOTIFICATION_TARGETS.commit} THEN b.commit_project_id = p.id AND b.commit_sha =
      (SELECT c.commit_sha FROM notes c WHERE c.id = o.note_id) END)`;

/**
 * True for mentioned, assigned and unassigned users, who are notified even of threads that they
 * muted.
 */
const IS_CALLED = `m.reason IS NOT DISTINCT FROM ${MAIL_REASONS.mentioned}
  OR o.kind IN (${OF_PEOPLE}) AND
    (coalesce(o.details->'added', '[]') || coalesce(o.details->'removed', '[]')) @> to_jsonb(u.id)`;

/** Only notifications that the user has subscribed to since pass the level `disabled`. */
const IS_SILENT = `setting.level IS NOT DISTINCT FROM ${NOTIFICATION_LEVELS.disabled}
  AND m.reason IS NULL`;

/** Evaluated once per notification: reads the recipients together with the notification. */
const READERS = `
  SELECT json_agg(json_build_object('mailId', m.id, 'userId', u.id, 'reason', m.reason,
    'to', address.email, 'level', setting.level, 'scope', setting.scope) ORDER BY m.id) AS list
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::smallint[])
    AS m (id, notification_id, user_id, reason)
  JOIN users u ON u.id = m.user_id
  CROSS JOIN LATERAL (SELECT ${LEVEL} AS level OFFSET 0) membership
  CROSS JOIN LATERAL (SELECT ${addressSql} AS email OFFSET 0) address
  LEFT JOIN LATERAL (${SETTING}) setting ON true
  WHERE m.notification_id = o.id AND ${receivesMailSql} AND ${readableSql('membership.level')}
    AND NOT ${suppressedSql('address.email')} AND NOT (${IS_SILENT})
    AND ((${IS_CALLED}) OR NOT ${IS_THREAD_OFF})`;

function namesSql(from: string): string {
  return `(SELECT coalesce(json_agg(x.name ORDER BY lower(x.name), x.id), '[]') FROM ${from})`;
}

function changedSql(key: string): string {
  return namesSql(`users x WHERE x.id = ANY(ARRAY
    (SELECT jsonb_array_elements_text(coalesce(o.details->'${key}', '[]'))::bigint))`);
}

function itemSql(alias: string): string {
  return `'id', ${alias}.id, 'iid', ${alias}.iid, 'title', ${alias}.title,
    'state', ${alias}.state, 'description', CASE WHEN o.kind IN (${WITH_DESCRIPTION})
      THEN left(${alias}.description, ${MAX_TEXT_LENGTH + 1}) END,
    'milestone', (SELECT x.title FROM milestones x WHERE x.id = ${alias}.milestone_id)`;
}

const ISSUE = `SELECT json_build_object(${itemSql('i')}, 'confidential', i.confidential,
    'dueDate', i.due_date, 'assignees', ${namesSql(`issue_assignees y
      JOIN users x ON x.id = y.user_id WHERE y.issue_id = i.id`)})
  FROM issues i WHERE o.target_type = ${NOTIFICATION_TARGETS.issue} AND i.id = o.target_id`;

function concernedSql(role: 'assignee' | 'reviewer'): string {
  return namesSql(`merge_request_people y JOIN users x ON x.id = y.user_id
    WHERE y.merge_request_id = r.id AND y.role = '${role}'`);
}

const MERGE_REQUEST = `SELECT json_build_object(${itemSql('r')}, 'sourceBranch', r.source_branch,
    'targetBranch', r.target_branch, 'assignees', ${concernedSql('assignee')},
    'reviewers', ${concernedSql('reviewer')})
  FROM merge_requests r
  WHERE o.target_type = ${NOTIFICATION_TARGETS.merge_request} AND r.id = o.target_id`;

const SNIPPET = `SELECT json_build_object('id', s.id, 'title', s.title)
  FROM snippets s WHERE o.target_type = ${NOTIFICATION_TARGETS.snippet} AND s.id = o.target_id`;

const NOTE = `SELECT json_build_object('id', c.id, 'internal', c.internal, 'sha', c.commit_sha,
    'body', left(c.body, ${MAX_TEXT_LENGTH + 1}), 'path', c.commit_path, 'line', c.commit_line)
  FROM notes c WHERE c.id = o.note_id`;

const FAILED = `SELECT coalesce(json_agg(json_build_object('name', f.name,
    'description', f.description, 'targetUrl', f.target_url) ORDER BY f.id), '[]')
  FROM (SELECT * FROM commit_statuses g WHERE g.pipeline_id = l.id AND g.state = 'failed'
    AND NOT g.retried AND NOT g.allow_failure ORDER BY g.id LIMIT ${MAX_FAILED_STATUSES}) f`;

const PIPELINE = `SELECT json_build_object('id', l.id, 'ref', l.ref, 'sha', l.sha,
    'status', l.status, 'failed', (${FAILED}))
  FROM pipelines l WHERE o.target_type = ${NOTIFICATION_TARGETS.pipeline} AND l.id = o.target_id`;

/**
 * Contents of the emails about some notifications, with those of their readers who can see them
 * now: one snapshot, so that no reader gets a text that was hidden from them meanwhile. Values: IDs
 * of emails, notifications and users, and reasons. Returns EmailRow; notifications without a
 * reader are missing.
 */
export const EMAILS_SQL = `
  SELECT o.id, o.kind, readers.list AS readers,
    CASE WHEN actor.id IS NOT NULL
      THEN json_build_object('name', actor.name, 'username', actor.username) END AS actor,
    json_build_object('id', p.id, 'name', p.name, 'path', n.full_path || '/' || p.path,
      'title', n.full_name || ' / ' || p.name) AS project,
    (${ISSUE}) AS issue, (${MERGE_REQUEST}) AS "mergeRequest", (${SNIPPET}) AS snippet,
    (${NOTE}) AS note, (${PIPELINE}) AS pipeline,
    ${changedSql('added')} AS added, ${changedSql('removed')} AS removed,
    ARRAY(SELECT jsonb_array_elements_text(coalesce(o.details->'labels', '[]'))) AS labels,
    o.details->>'from' AS "from", o.details->>'to' AS "to", o.details->>'formerPath' AS "formerPath"
  FROM notifications o
  JOIN projects p ON p.id = o.project_id
  JOIN namespaces n ON n.id = p.namespace_id
  LEFT JOIN users actor ON actor.id = o.actor_id
  ${targetSql}
  CROSS JOIN LATERAL (${READERS}) readers
  WHERE o.id = ANY($2) AND ${projectMailSql} AND readers.list IS NOT NULL`;
