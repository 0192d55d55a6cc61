import { Injectable } from '@nestjs/common';
import type { Viewer } from '../../core/access/auth-context.js';
import { Conditions } from '../../core/sql/conditions.js';
import { Sql } from '../../core/sql/sql.service.js';
import { accessLevelSql } from '../../identity/members/sql/access.js';
import { visibleSnippetSql, SNIPPET_TABLES } from '../../workspace/snippets/snippets.repository.js';
import type { ContainerAccess } from '../../identity/members/abilities.js';

/** A group or project as far as access goes. */
export type Standing = Pick<ContainerAccess, 'visibility' | 'accessLevel'>;

/** A project as far as access to its repositories goes. */
export interface ProjectStanding extends Standing {
  repositoryEnabled: boolean;
  wikiEnabled: boolean;
}

/** A project as the Git transport needs it. */
export interface ProjectRow extends ProjectStanding {
  id: number;
  fullPath: string;
  storage: string;
  readOnly: boolean;
  archived: boolean;
  defaultBranch: string | null;
}

/** A group as the Git transport needs it. */
export interface GroupRow {
  id: number;
  fullPath: string;
  storage: string;
  readOnly: boolean;
  visibility: number;
  accessLevel: number;
}

/** A snippet as the Git transport needs it. */
export interface SnippetRow {
  id: number;
  authorId: number;
  storage: string;
  readOnly: boolean;
  projectId: number | null;
  projectFullPath: string | null;
  projectArchived: boolean | null;
  accessLevel: number;
}

interface RedirectRow {
  path: string;
  projectId: number | null;
  namespacePath: string | null;
}

const PROJECT = `
  SELECT p.id, n.full_path || '/' || p.path AS "fullPath", p.visibility, p.archived,
         p.repository_storage AS storage, p.repository_read_only AS "readOnly",
         p.default_branch AS "defaultBranch", p.repository_enabled AS "repositoryEnabled",
         p.wiki_enabled AS "wikiEnabled",
         ${accessLevelSql('$1::bigint', 'n', 'p.id')} AS "accessLevel"
  FROM namespaces n JOIN projects p ON p.namespace_id = n.id
  WHERE NOT p.pending_delete AND `;

const GROUP = `
  SELECT g.id, n.full_path AS "fullPath", g.visibility, g.repository_storage AS storage,
         g.repository_read_only AS "readOnly",
         ${accessLevelSql('$1::bigint', 'n', 'NULL')} AS "accessLevel"
  FROM namespaces n JOIN groups g ON g.id = n.id
  WHERE NOT g.pending_delete AND lower(n.full_path) = lower($2)`;

const REDIRECTS = `
  SELECT r.path, r.project_id AS "projectId", n.full_path AS "namespacePath"
  FROM route_redirects r LEFT JOIN namespaces n ON n.id = r.namespace_id
  WHERE lower(r.path) = ANY($1) ORDER BY length(r.path) DESC LIMIT 1`;

const SNIPPET_COLUMNS = `
  s.id, s.author_id AS "authorId", s.repository_storage AS storage,
  s.repository_read_only AS "readOnly", s.project_id AS "projectId",
  n.full_path || '/' || p.path AS "projectFullPath", p.archived AS "projectArchived"`;

/** Other paths cannot exist and are not looked up. */
const PATH = /^[a-zA-Z0-9_.-]+(?:\/[a-zA-Z0-9_.-]+)*$/;
const MAX_SEGMENTS = 25;

/** Owns the statements that find the owners of repositories by path, including former paths. */
@Injectable()
export class GitTargetsRepository {
  constructor(private readonly queries: Sql) {}

  findProject(id: number, userId: number | null): Promise<ProjectRow | null> {
    return this.queries.row<ProjectRow>(`${PROJECT} p.id = $2`, [userId, id]);
  }

  /** Returns the project whose path is or was `path`, in any case. */
  async findProjectByPath(path: string, userId: number | null): Promise<ProjectRow | null> {
    if (!isPath(path)) return null;
    return (
      (await this.findByCurrentPath(path, userId)) ?? (await this.findByFormerPath(path, userId))
    );
  }

  /** Returns the group whose path is or was `path`, in any case. */
  async findGroupByPath(path: string, userId: number | null): Promise<GroupRow | null> {
    if (!isPath(path)) return null;
    const group = await this.queries.row<GroupRow>(GROUP, [userId, path]);
    if (group !== null) return group;
    const redirect = await this.findRedirect(path);
    if (redirect?.namespacePath === undefined || redirect.namespacePath === null) return null;
    const current = redirect.namespacePath + path.slice(redirect.path.length);
    return this.queries.row<GroupRow>(GROUP, [userId, current]);
  }

  /** Returns a snippet that the viewer can see. */
  findSnippet(id: number, viewer: Viewer | null): Promise<SnippetRow | null> {
    const conditions = new Conditions();
    conditions.and(`s.id = ${conditions.value(id)}`);
    conditions.and(visibleSnippetSql(conditions, viewer));
    const level = viewer === null ? '0' : accessLevelSql(conditions.value(viewer.id), 'n', 'p.id');
    return this.queries.row<SnippetRow>(
      `SELECT ${SNIPPET_COLUMNS}, ${level} AS "accessLevel"
       FROM ${SNIPPET_TABLES} WHERE ${conditions.toString()}`,
      conditions.values,
    );
  }

  private async findByCurrentPath(path: string, userId: number | null): Promise<ProjectRow | null> {
    const slash = path.lastIndexOf('/');
    if (slash === -1) return null;
    return this.queries.row<ProjectRow>(
      `${PROJECT} lower(n.full_path) = lower($2) AND lower(p.path) = lower($3)`,
      [userId, path.slice(0, slash), path.slice(slash + 1)],
    );
  }

  private async findByFormerPath(path: string, userId: number | null): Promise<ProjectRow | null> {
    const redirect = await this.findRedirect(path);
    if (redirect === null) return null;
    if (redirect.projectId !== null) {
      return redirect.path.length === path.length
        ? this.findProject(redirect.projectId, userId)
        : null;
    }
    const rest = path.slice(redirect.path.length);
    return this.findByCurrentPath(`${redirect.namespacePath}${rest}`, userId);
  }

  /** Returns the redirect of the longest prefix of the path that has one. */
  private findRedirect(path: string): Promise<RedirectRow | null> {
    const segments = path.toLowerCase().split('/');
    const beginnings = segments.map((_, index) => segments.slice(0, index + 1).join('/'));
    return this.queries.row<RedirectRow>(REDIRECTS, [beginnings]);
  }
}

function isPath(path: string): boolean {
  return PATH.test(path) && path.split('/').length <= MAX_SEGMENTS;
}
