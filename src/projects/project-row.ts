import { ACTIVE_MEMBERSHIP } from '../members/member-source.js';
import { NO_ACCESS, ROLES, type AccessLevel } from '../members/roles.js';
import { sendsMailsSql } from '../groups/sql/group-list.js';
import type { NamespaceRow } from '../groups/namespace.presenter.js';
import { optionalUserSql } from '../users/sql/user-list.js';
import type { UserBasics } from '../users/user.presenter.js';

/** A project as guards and presenters need it, with its namespace and the viewer's levels. */
export interface ProjectRow {
  id: number;
  name: string;
  path: string;
  description: string | null;
  visibility: number;
  archived: boolean;
  defaultBranch: string | null;
  emptyRepo: boolean;
  creatorId: number | null;
  topics: string[];
  issuesEnabled: boolean;
  mergeRequestsEnabled: boolean;
  wikiEnabled: boolean;
  snippetsEnabled: boolean;
  repositoryEnabled: boolean;
  requestAccessEnabled: boolean;
  /** What was decided for this project; groups above count as well. */
  emailsEnabled: boolean;
  /** Digest of its avatar's images; null without one. */
  avatar: string | null;
  pendingDelete: boolean;
  repositoryStorage: string;
  repositoryReadOnly: boolean;
  lastActivityAt: Date;
  createdAt: Date;
  updatedAt: Date;
  namespaceId: number;
  namespace: NamespaceRow & { fullName: string };
  /** The user whose namespace it is in; null in groups. */
  owner: UserBasics | null;
  /** Highest level through the project itself, through its groups, and altogether. */
  projectLevel: AccessLevel | typeof NO_ACCESS;
  groupLevel: AccessLevel | typeof NO_ACCESS;
  accessLevel: number;
}

/** A project with what only its full form shows: guards read a project for nearly every request. */
export interface CountedProjectRow extends ProjectRow {
  /** Open issues that everyone can see who sees the project. */
  openIssuesCount: number;
  /** Whether no group above has turned mails off. */
  groupsSendMails: boolean;
}

/** The tables that decide which projects are meant. */
export const PROJECT_FROM = 'projects p JOIN namespaces n ON n.id = p.namespace_id';

/**
 * What PROJECT_COLUMNS need beside PROJECT_FROM: the owner and the levels of the viewer, whose id
 * is the SQL expression `user`, which may be null.
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

/** What a CountedProjectRow has beside them, of the project with these ids as SQL expressions. */
export function countColumns({ id, namespaceId }: { id: string; namespaceId: string }): string {
  return `(SELECT count(*)::int FROM issues i WHERE i.project_id = ${id}
    AND i.state = 'opened' AND NOT i.confidential) AS "openIssuesCount",
    ${sendsMailsSql(namespaceId)} AS "groupsSendMails"`;
}

function levelSql(user: string, source: string): string {
  return `(SELECT coalesce(max(m.access_level), ${NO_ACCESS}) FROM members m
    WHERE m.user_id = ${user} AND ${source} AND ${ACTIVE_MEMBERSHIP})`;
}

/** The path that names the project in addresses: `group/subgroup/project`. */
export function fullPathOf(project: Pick<ProjectRow, 'path' | 'namespace'>): string {
  return `${project.namespace.fullPath}/${project.path}`;
}
