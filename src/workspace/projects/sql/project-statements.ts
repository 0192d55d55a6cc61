import { sendsMailsSql } from '../../groups/sql/group-list.js';
import { ACTIVE_MEMBERSHIP } from '../../../identity/members/member-source.js';
import { NO_ACCESS, ROLES } from '../../../identity/members/roles.js';
import { optionalUserSql } from '../../../identity/users/sql/user-list.js';
import type { ProjectRow } from '../projects.repository.js';

/** Tables of a project and its namespace. */
export const PROJECT_FROM = `projects p JOIN namespaces n ON n.id = p.namespace_id`;

const OWNER_JOIN = 'LEFT JOIN users o ON o.id = n.owner_id';

/** Once per row, the levels of the user whose id is the placeholder. */
function levelsJoin(user: string): string {
  return `CROSS JOIN LATERAL (SELECT ${ownLevelSql(user)} AS owner,
      ${levelSql(user, 'm.project_id = p.id')} AS project,
      ${levelSql(user, 'm.namespace_id = ANY(n.traversal_ids)')} AS "group" OFFSET 0) level`;
}

/** Returns the joins of a list's columns after PROJECT_FROM; `user` is the viewer's placeholder. */
export function listedJoins(user: string): string {
  return `${OWNER_JOIN} LEFT JOIN groups g ON g.id = n.id
    LEFT JOIN LATERAL (SELECT m.access_level FROM members m
      WHERE m.user_id = ${user} AND m.project_id = p.id AND ${ACTIVE_MEMBERSHIP}) own ON true`;
}

/**
 * Returns SQL for the viewer's levels in a list. Most groups are none of theirs, which one look at
 * their memberships tells for all rows.
 */
export function listedLevels(user: string): Record<'owner' | 'project' | 'group', string> {
  const groups = `ARRAY(SELECT m.namespace_id FROM members m
    WHERE m.user_id = ${user} AND m.namespace_id IS NOT NULL)`;
  return {
    owner: ownLevelSql(user),
    project: `coalesce(own.access_level, ${NO_ACCESS})`,
    group: `CASE WHEN n.traversal_ids && ${groups}
      THEN ${levelSql(user, 'm.namespace_id = ANY(n.traversal_ids)')} ELSE ${NO_ACCESS} END`,
  };
}

function ownLevelSql(user: string): string {
  return `CASE WHEN n.owner_id = ${user} THEN ${ROLES.owner} ELSE ${NO_ACCESS} END`;
}

/** Columns of a ProjectRow but for the levels. */
export const PROJECT_COLUMNS = `p.id, p.name, p.path, p.description, p.visibility, p.archived,
    p.default_branch AS "defaultBranch", p.empty_repo AS "emptyRepo",
    p.creator_id AS "creatorId", p.topics, p.issues_enabled AS "issuesEnabled",
    p.merge_requests_enabled AS "mergeRequestsEnabled", p.wiki_enabled AS "wikiEnabled",
    p.snippets_enabled AS "snippetsEnabled", p.repository_enabled AS "repositoryEnabled",
    p.request_access_enabled AS "requestAccessEnabled", p.emails_enabled AS "emailsEnabled",
    p.avatar, p.pending_delete AS "pendingDelete",
    p.repository_storage AS "repositoryStorage", p.repository_read_only AS "repositoryReadOnly",
    p.last_activity_at AS "lastActivityAt", p.created_at AS "createdAt",
    p.updated_at AS "updatedAt", p.namespace_id AS "namespaceId",
    json_build_object('id', n.id, 'kind', n.kind, 'name', n.name, 'path', n.path,
      'fullPath', n.full_path, 'fullName', n.full_name, 'parentId', n.parent_id,
      'ownerId', n.owner_id, 'avatar', coalesce(o.avatar, (
        SELECT g.avatar FROM groups g WHERE g.id = n.id))) AS namespace,
    ${optionalUserSql('o')} AS owner`;

const BRIEF_COLUMNS = `p.id, p.visibility, p.namespace_id AS "namespaceId",
    p.issues_enabled AS "issuesEnabled", p.merge_requests_enabled AS "mergeRequestsEnabled",
    p.wiki_enabled AS "wikiEnabled", p.snippets_enabled AS "snippetsEnabled",
    p.repository_enabled AS "repositoryEnabled"`;

const HIGHEST_LEVEL = `greatest(level.owner, level.project, level."group") AS "accessLevel"`;
const LEVELS = `level.project AS "projectLevel", level."group" AS "groupLevel", ${HIGHEST_LEVEL}`;

/** Returns the further columns of a CountedProjectRow; the ids are SQL expressions. */
export function countColumns({ id, namespaceId }: { id: string; namespaceId: string }): string {
  return `(SELECT count(*)::int FROM issues i WHERE i.project_id = ${id}
    AND i.state = 'opened' AND NOT i.confidential) AS "openIssuesCount",
    ${sendsMailsSql(namespaceId)} AS "groupsSendMails"`;
}

function levelSql(user: string, source: string): string {
  return `(SELECT coalesce(max(m.access_level), ${NO_ACCESS}) FROM members m
    WHERE m.user_id = ${user} AND ${source} AND ${ACTIVE_MEMBERSHIP})`;
}

const BY_PATH = `p.namespace_id = (SELECT id FROM namespaces WHERE lower(full_path) = lower($2))
  AND lower(p.path) = lower($3)`;

/** Old paths: of the project itself, of its group, or of both one after the other. */
const REDIRECTED = `p.id = (
  WITH former AS (
    SELECT n.id, n.full_path FROM route_redirects r JOIN namespaces n ON n.id = r.namespace_id
    WHERE lower(r.path) = lower($2))
  SELECT project_id FROM route_redirects
    WHERE lower(path) = lower($2 || '/' || $3) AND project_id IS NOT NULL
  UNION ALL
  SELECT p.id FROM former JOIN projects p ON p.namespace_id = former.id AND lower(p.path) = lower($3)
  UNION ALL
  SELECT r.project_id FROM former
    JOIN route_redirects r ON lower(r.path) = lower(former.full_path || '/' || $3)
    WHERE r.project_id IS NOT NULL
  LIMIT 1)`;

/** Columns of a project that its lists use. */
export type BriefProjectRow = Pick<
  ProjectRow,
  | 'id'
  | 'visibility'
  | 'namespaceId'
  | `${'issues' | 'mergeRequests' | 'wiki' | 'snippets' | 'repository'}Enabled`
  | 'accessLevel'
>;

/** Columns that a guard reads: those of a BriefProjectRow, a ProjectRow or a CountedProjectRow. */
export type ProjectColumns = 'brief' | 'whole' | 'counted';

/** Statements that find a project for the user $1, by columns. */
export const FIND_SQL = {
  brief: findStatements(`${BRIEF_COLUMNS}, ${HIGHEST_LEVEL}`, ''),
  whole: findStatements(`${PROJECT_COLUMNS}, ${LEVELS}`, OWNER_JOIN),
  counted: findStatements(
    `${PROJECT_COLUMNS}, ${countColumns({ id: 'p.id', namespaceId: 'n.id' })}, ${LEVELS}`,
    OWNER_JOIN,
  ),
};

function findStatements(
  columns: string,
  joins: string,
): Record<'byId' | 'byPath' | 'byFormerPath', string> {
  const find = `SELECT ${columns}
    FROM ${PROJECT_FROM} ${joins} ${levelsJoin('$1::bigint')}
    WHERE NOT p.pending_delete AND `;
  return { byId: `${find} p.id = $2`, byPath: find + BY_PATH, byFormerPath: find + REDIRECTED };
}

export const LOCK_SQL = `
  SELECT p.id, p.name, p.path, p.visibility, p.description, p.topics,
    p.issues_enabled AS "issuesEnabled",
    p.merge_requests_enabled AS "mergeRequestsEnabled", p.wiki_enabled AS "wikiEnabled",
    p.snippets_enabled AS "snippetsEnabled", p.repository_enabled AS "repositoryEnabled",
    p.request_access_enabled AS "requestAccessEnabled",
    p.emails_enabled AS "emailsEnabled", p.namespace_id AS "namespaceId",
    n.full_path AS "namespaceFullPath"
  FROM projects p JOIN namespaces n ON n.id = p.namespace_id
  WHERE p.id = $1 AND NOT p.pending_delete FOR NO KEY UPDATE OF p`;

export const LOCK_FOR_CHANGE_SQL = `
  SELECT archived FROM projects WHERE id = $1 AND NOT pending_delete FOR NO KEY UPDATE`;

export const HOLD_SQL = 'SELECT 1 FROM projects WHERE id = $1 AND NOT pending_delete FOR SHARE';

export const TAKEN_SQL = `
  SELECT EXISTS (SELECT 1 FROM projects WHERE namespace_id = $1 AND id <> $4
                 AND lower(name) = lower($2)) AS name,
    EXISTS (SELECT 1 FROM projects WHERE namespace_id = $1 AND id <> $4
            AND lower(path) = lower($3))
    OR EXISTS (SELECT 1 FROM namespaces WHERE parent_id = $1 AND lower(path) = lower($3))
    AS path`;

export const NAMED_SQL = `
  SELECT p.id, p.name, n.full_path || '/' || p.path AS "fullPath"
  FROM projects p JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = ANY($1::bigint[])`;

export const NEXT_ID_SQL = `SELECT nextval(pg_get_serial_sequence('projects', 'id')) AS id`;

export const QUOTA_SQL = `
  SELECT u.projects_limit AS "limit",
    (SELECT count(*)::int FROM projects WHERE namespace_id = $1) AS count
  FROM users u WHERE u.id = $2`;
