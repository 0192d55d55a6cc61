import {
  NOTIFICATION_TARGETS,
  type NotificationTarget,
} from '../../core/activity/notifications.repository.js';
import { TODO_TARGETS, type TodoTarget } from '../../core/activity/todos.repository.js';
import { PROJECT_ABILITIES, type ProjectAbility } from '../../identity/members/abilities.js';
import { ROLES } from '../../identity/members/roles.js';
import { VISIBILITY } from '../../identity/members/visibility.js';

const role = (ability: ProjectAbility): number => ROLES[PROJECT_ABILITIES[ability]];

/** SQL for "user `u` can get emails at all": active humans with a confirmed address. */
export const receivesMailSql = `(u.state = 'active' AND u.user_type = 'human'
  AND u.confirmed_at IS NOT NULL)`;

/** A kind of target: what it is read from, while it is there and the project has it switched on. */
interface TargetTable {
  ability: ProjectAbility;
  from: string;
  where: string;
  author?: string;
  reserved?: string;
  visibility?: string;
  /** Only members with the role read it, also in public projects. */
  membersOnly?: true;
}

const TARGET_TYPES = { ...TODO_TARGETS, ...NOTIFICATION_TARGETS };

const ONE_ROW = '(SELECT) one';

const TABLES: Record<NotificationTarget | TodoTarget, TargetTable> = {
  issue: {
    ability: 'read_issue',
    from: 'issues i',
    where: 'i.id = o.target_id AND i.project_id = p.id AND p.issues_enabled',
    author: 'i.author_id',
    reserved: 'i.confidential',
  },
  merge_request: {
    ability: 'read_merge_request',
    from: 'merge_requests r',
    where: `r.id = o.target_id AND r.project_id = p.id
      AND p.merge_requests_enabled AND p.repository_enabled`,
    author: 'r.author_id',
  },
  project: { ability: 'read_project', from: ONE_ROW, where: 'p.id = o.target_id' },
  snippet: {
    ability: 'read_snippet',
    from: 'snippets s',
    where: 's.id = o.target_id AND s.project_id = p.id',
    author: 's.author_id',
    visibility: 's.visibility',
  },
  commit: {
    ability: 'read_code',
    from: ONE_ROW,
    where: `p.repository_enabled AND EXISTS
      (SELECT FROM notes c WHERE c.id = o.note_id AND c.commit_project_id = p.id)`,
  },
  pipeline: {
    ability: 'read_code',
    from: 'pipelines l',
    where: 'l.id = o.target_id AND l.project_id = p.id AND p.repository_enabled',
    author: 'l.user_id',
  },
  alert: {
    ability: 'read_alert',
    from: 'alerts w',
    where: 'w.id = o.target_id AND w.project_id = p.id',
    membersOnly: true,
  },
};

/**
 * JOIN that gives what notification or to-do `o` of project `p` is about as `t`: one row while it
 * is there, with the note, and the project has such things switched on; none otherwise. `readableSql` needs
 * it.
 *
 * `minimum` = the role that reads it where visibility does not open it, `reserved` = confidential,
 * `visibility` = of snippets, `internal` = of the note, `author_id` = null for what has none,
 * `members_only` = an open project does not open it.
 */
export const targetSql = `JOIN LATERAL (
  SELECT target.*, coalesce(note.internal, false) AS internal
  FROM (${Object.entries(TABLES)
    .map(([name, table]) => branch(name as keyof typeof TABLES, table))
    .join('\n    UNION ALL ')}) target
  LEFT JOIN notes note ON note.id = o.note_id
  WHERE o.note_id IS NULL OR note.id IS NOT NULL
) t ON true`;

function branch(name: keyof typeof TABLES, table: TargetTable): string {
  const { ability, from, where, author = 'NULL', reserved = 'false', visibility = 'NULL' } = table;
  return `SELECT ${role(ability)} AS minimum, ${author}::bigint AS author_id,
      ${reserved} AS reserved, ${visibility}::smallint AS visibility,
      ${table.membersOnly ?? false} AS members_only
    FROM ${from} WHERE o.target_type = ${TARGET_TYPES[name]} AND ${where}`;
}

/** True if the project is open to the user without a membership. */
const IS_OPEN = `p.visibility >= CASE WHEN u.external
  THEN ${VISIBILITY.public} ELSE ${VISIBILITY.internal} END`;

/** True if the snippet is open to a user who is no member; administrators see them all. */
const IS_SNIPPET_OPEN = `u.id = t.author_id
  OR t.visibility >= CASE WHEN u.external THEN ${VISIBILITY.public} ELSE ${VISIBILITY.internal} END`;

const IS_ASSIGNEE = `o.target_type = ${NOTIFICATION_TARGETS.issue} AND (u.id = t.author_id
  OR EXISTS (SELECT FROM issue_assignees a WHERE a.issue_id = o.target_id AND a.user_id = u.id))`;

/**
 * SQL for "user `u` can now read what notification `o` of project `p` is about, with its note",
 * over the row `t` of `targetSql`. `level` = the user's effective role in the project, as SQL; it
 * is worked out several times. The rules are those of the API (API doc, Roles and Visibility).
 */
export function readableSql(level: string): string {
  return `(NOT p.pending_delete AND (u.admin OR (
    (${IS_OPEN} AND NOT t.members_only OR ${level} >= t.minimum)
    AND (NOT t.reserved OR ${level} >= ${role('read_confidential_issue')} OR (${IS_ASSIGNEE}))
    AND (NOT t.internal OR ${level} >= ${role('read_internal_note')})
    AND (t.visibility IS NULL OR (p.snippets_enabled
      AND (${IS_SNIPPET_OPEN} OR ${level} >= ${ROLES.guest}))))))`;
}
