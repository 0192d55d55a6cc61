import { sendsMailsSql } from '../../groups/sql/group-list.js';
import { ACTIVE_MEMBERSHIP } from '../../../identity/members/member-source.js';
import { NO_ACCESS, ROLES } from '../../../identity/members/roles.js';
import { optionalUserSql } from '../../../identity/users/sql/user-list.js';

/** Tables of a list's conditions; projectJoins adds those of the columns. */
export const PROJECT_FROM = 'projects p JOIN namespaces n ON n.id = p.namespace_id';

/**
 * Returns the joins of PROJECT_COLUMNS after PROJECT_FROM: the owner and the levels of the viewer,
 * whose id is the SQL expression `user`, which can be null.
 */
export function projectJoins(user: string): string {
  const ownerLevel = `CASE WHEN n.owner_id = ${user} THEN ${ROLES.owner} ELSE ${NO_ACCESS} END`;
  return `LEFT JOIN users o ON o.id = n.owner_id
    CROSS JOIN LATERAL (SELECT ${ownerLevel} AS owner,
      ${levelSql(user, 'm.project_id = p.id')} AS project,
      ${levelSql(user, 'm.namespace_id = ANY(n.traversal_ids)')} AS "group" OFFSET 0) level`;
}

/** Columns of a ProjectRow. */
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
    ${optionalUserSql('o')} AS owner,
    level.project AS "projectLevel", level."group" AS "groupLevel",
    greatest(level.owner, level.project, level."group") AS "accessLevel"`;

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
