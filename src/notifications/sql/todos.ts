import {
  NOTIFICATION_KINDS,
  NOTIFICATION_TARGETS,
  type NotificationKind,
} from '../../core/activity/notifications.repository.js';
import {
  TODO_ACTIONS,
  TODO_COLUMNS,
  TODO_TARGETS,
  type TodoTarget,
} from '../../core/activity/todos.repository.js';
import { ACTIVE_MEMBERSHIP } from '../../identity/members/member-source.js';
import { ROLES } from '../../identity/members/roles.js';
import { accessLevelSql } from '../../identity/members/sql/access.js';
import { readableSql, targetSql } from './access.js';
import { SEES_GROUP } from './mentioned-users.js';

/** Targets of notifications that make to-dos. */
export type NotifiedTodoTarget = 'issue' | 'merge_request';

const { assigned, mentioned, review_requested: reviewRequested } = TODO_ACTIONS;

const isIn = (alias: string, kinds: readonly NotificationKind[]): string =>
  `${alias}.kind IN (${kinds.map((kind) => NOTIFICATION_KINDS[kind]).join(', ')})`;
const is = (...kinds: NotificationKind[]): string => isIn('o', kinds);
const closes = (alias: string): string =>
  isIn(alias, ['close_issue', 'close_merge_request', 'merge_merge_request']);

/** A statement for one notification, or one for several. */
export type NotificationCount = 'one' | 'many';

/**
 * The values of `recordTodosSql`. Nearly all notifications come alone, and PostgreSQL plans the
 * statement for arrays at each run: it expects longer ones. Planning takes ten times as long as
 * running it.
 */
const NOTIFICATIONS: Record<NotificationCount, string> = {
  one: `SELECT $1::smallint AS kind, $2::bigint AS project_id, $3::bigint AS actor_id,
      $4::bigint AS target_id, $5::bigint AS note_id, $6::jsonb AS details, 1 AS position`,
  many: `SELECT * FROM unnest($1::smallint[], $2::bigint[], $3::bigint[], $4::bigint[],
      $5::bigint[], $6::jsonb[]) WITH ORDINALITY
    AS n (kind, project_id, actor_id, target_id, note_id, details, position)`,
};

const NAMED = `o.details -> 'named'`;

/**
 * The comment of a notification. One that closes its target belongs to the same transaction, and
 * can mention users whose to-dos end by it.
 */
const noteSql = (column: string): string => `
      CASE WHEN ${closes('n')} THEN (SELECT max(k.id) FROM notes k
        WHERE k.${column} = n.target_id AND k.author_id = n.actor_id AND NOT k.system
          AND k.created_at = now()::timestamptz(3)) ELSE n.note_id END AS note_id`;

/** Names that are new: `user_id`, `namespace_id`, or neither for all members of the project. */
const namedSql = (column: string): string => `
  SELECT o.position, m.user_id, m.namespace_id FROM o JOIN mentions m ON m.note_id = o.note_id
  UNION ALL SELECT o.position, m.user_id, m.namespace_id FROM o JOIN mentions m
    ON m.${column} = o.target_id WHERE ${is('new_issue', 'new_merge_request')}
  UNION ALL SELECT o.position, value::bigint, NULL
    FROM o, jsonb_array_elements_text(${NAMED} -> 'userIds')
  UNION ALL SELECT o.position, NULL, value::bigint
    FROM o, jsonb_array_elements_text(${NAMED} -> 'namespaceIds')
  UNION ALL SELECT o.position, NULL, NULL FROM o WHERE (${NAMED} ->> 'all')::boolean`;

/** Users by their roles in a new issue or merge request. */
const PEOPLE: Record<NotifiedTodoTarget, string> = {
  issue: `SELECT o.position, a.user_id, ${assigned} AS action
    FROM o JOIN issue_assignees a ON a.issue_id = o.target_id WHERE ${is('new_issue')}`,
  merge_request: `SELECT o.position, q.user_id,
      CASE q.role WHEN 'reviewer' THEN ${reviewRequested} ELSE ${assigned} END AS action
    FROM o JOIN merge_request_people q ON q.merge_request_id = o.target_id
    WHERE ${is('new_merge_request')}`,
};

const MEMBER = `m.access_level >= ${ROLES.guest} AND ${ACTIVE_MEMBERSHIP}`;
const EVERYONE = `FROM named w JOIN o USING (position) JOIN projects p ON p.id = o.project_id
    JOIN namespaces n ON n.id = p.namespace_id`;
const OF_ALL = 'w.user_id IS NULL AND w.namespace_id IS NULL';

/** Most members named by groups and @all: these can be a whole instance. */
const MOST_MEMBERS = 10_000;

/** Members of named groups, and of the project for @all. */
const MEMBERS = `
  SELECT w.position, m.user_id, ${mentioned}
    FROM named w JOIN o USING (position) JOIN users a ON a.id = o.actor_id
      JOIN namespaces x ON x.id = w.namespace_id JOIN groups g ON g.id = x.id
      JOIN members m ON m.namespace_id = ANY(x.traversal_ids)
    WHERE NOT g.pending_delete AND ${SEES_GROUP} AND ${MEMBER}
  UNION ALL SELECT w.position, m.user_id, ${mentioned}
    ${EVERYONE} JOIN members m ON m.namespace_id = ANY(n.traversal_ids)
    WHERE ${OF_ALL} AND ${MEMBER}
  UNION ALL SELECT w.position, m.user_id, ${mentioned}
    ${EVERYONE} JOIN members m ON m.project_id = p.id WHERE ${OF_ALL} AND ${MEMBER}
  UNION ALL SELECT w.position, n.owner_id, ${mentioned}
    ${EVERYONE} WHERE ${OF_ALL} AND n.owner_id IS NOT NULL`;

/** Users whom a notification asks to do something, with the reason. */
const calledSql = (target: NotifiedTodoTarget): string => `
  ${PEOPLE[target]}
  UNION ALL SELECT o.position, value::bigint,
      CASE WHEN ${is('change_reviewer_merge_request')} THEN ${reviewRequested} ELSE ${assigned} END
    FROM o, jsonb_array_elements_text(o.details -> 'added')
  UNION ALL SELECT w.position, w.user_id, ${mentioned} FROM named w WHERE w.user_id IS NOT NULL
  UNION ALL (${MEMBERS} LIMIT ${MOST_MEMBERS})`;

/** Tables and conditions over `o` and the users `w` who can read its target. */
const READERS = `o
    JOIN projects p ON p.id = o.project_id JOIN namespaces n ON n.id = p.namespace_id
    ${targetSql}`;
const READER = `JOIN users u ON u.id = w.user_id
    CROSS JOIN LATERAL (SELECT ${accessLevelSql('u.id', 'n', 'p.id')} AS level OFFSET 0) membership
  WHERE u.state = 'active' AND u.user_type = 'human' AND ${readableSql('membership.level')}`;

/**
 * Statement that ends and creates the to-dos that notifications about issues or merge requests
 * cause. An action of the user ends their own to-do; closing and merging end all but the mentions
 * of others. No one gets a to-do for an action of their own. Counting the ended ones ends them
 * before the new ones are inserted, which would else conflict with them.
 */
export function recordTodosSql(target: NotifiedTodoTarget, count: NotificationCount): string {
  const column = TODO_COLUMNS[target];
  return `WITH o AS MATERIALIZED (
    SELECT n.kind, n.project_id, n.actor_id, n.target_id, n.details, n.position, ${noteSql(column)},
      ${NOTIFICATION_TARGETS[target]} AS target_type FROM (${NOTIFICATIONS[count]}) n),
  ended AS (
    UPDATE todos t SET done_at = now(), updated_at = now() FROM o
    WHERE t.${column} = o.target_id AND t.done_at IS NULL AND (t.user_id = o.actor_id
      OR t.action <> ${mentioned} AND ${closes('o')}
      OR t.action = ${assigned} AND ${is('reassign_issue', 'reassign_merge_request')}
        AND o.details -> 'removed' @> to_jsonb(t.user_id)
      OR t.action = ${reviewRequested} AND ${is('change_reviewer_merge_request')}
        AND o.details -> 'removed' @> to_jsonb(t.user_id)) RETURNING t.id),
  named AS MATERIALIZED (${namedSql(column)}),
  called AS MATERIALIZED (
    SELECT DISTINCT ON (position, user_id) * FROM (${calledSql(target)}) c (position, user_id, action)
    WHERE user_id IS NOT NULL ORDER BY position, user_id, action = ${mentioned})
  INSERT INTO todos (user_id, author_id, project_id, action, ${column}, note_id)
  SELECT u.id, o.actor_id, o.project_id, w.action, o.target_id, o.note_id
  FROM ${READERS} JOIN called w ON w.position = o.position AND w.user_id <> o.actor_id ${READER}
    AND (SELECT count(*) FROM ended) >= 0
  ORDER BY u.id, w.action = ${mentioned} ON CONFLICT DO NOTHING`;
}

/**
 * Statement that adds a to-do of user $1 for target $2 of project $3, on their own behalf, if they
 * can read it and have none pending; returns its ID.
 */
export function addTodoSql(target: TodoTarget): string {
  return `WITH o AS MATERIALIZED (
    SELECT $3::bigint AS project_id, ${TODO_TARGETS[target]} AS target_type,
      $2::bigint AS target_id, NULL::bigint AS note_id)
  INSERT INTO todos (user_id, author_id, project_id, action, ${TODO_COLUMNS[target]})
  SELECT u.id, u.id, o.project_id, ${TODO_ACTIONS.marked}, o.target_id
  FROM ${READERS} CROSS JOIN (SELECT $1::bigint AS user_id) w ${READER}
  ON CONFLICT DO NOTHING RETURNING id`;
}

/** Tables of the to-dos `o` of users `u`; `VISIBLE_TODO` is true where the user can read the target. */
export const TODO_TABLES = `(SELECT d.*,
      CASE WHEN d.issue_id IS NOT NULL THEN ${TODO_TARGETS.issue}
        WHEN d.merge_request_id IS NOT NULL THEN ${TODO_TARGETS.merge_request}
        ELSE ${TODO_TARGETS.alert} END AS target_type,
      coalesce(d.issue_id, d.merge_request_id, d.alert_id) AS target_id FROM todos d) o
  JOIN users u ON u.id = o.user_id JOIN projects p ON p.id = o.project_id
  JOIN namespaces n ON n.id = p.namespace_id ${targetSql}
  CROSS JOIN LATERAL (SELECT ${accessLevelSql('u.id', 'n', 'p.id')} AS level OFFSET 0) membership`;

export const VISIBLE_TODO = readableSql('membership.level');
