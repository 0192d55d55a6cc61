import { Injectable } from '@nestjs/common';
import { Sql } from '../core/sql/sql.service.js';
import { accessLevelSql } from '../members/member-access.service.js';
import type { ProjectStanding } from './repository-access.js';

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

/** No path of ours has other characters; anything else is not even looked up. */
const PATH = /^[a-zA-Z0-9_.-]+(?:\/[a-zA-Z0-9_.-]+)*$/;
const MAX_SEGMENTS = 25;

/** Finds projects and groups by path, also by one they had before. */
@Injectable()
export class ProjectRows {
  constructor(private readonly sql: Sql) {}

  byId(id: number, userId: number | null): Promise<ProjectRow | null> {
    return this.sql.row<ProjectRow>(`${PROJECT} p.id = $2`, [userId, id]);
  }

  /** The project whose address is or was `path`, in any case. */
  async byPath(path: string, userId: number | null): Promise<ProjectRow | null> {
    if (!isPath(path)) return null;
    return (await this.byCurrentPath(path, userId)) ?? (await this.byOldPath(path, userId));
  }

  async groupByPath(path: string, userId: number | null): Promise<GroupRow | null> {
    if (!isPath(path)) return null;
    const group = await this.sql.row<GroupRow>(GROUP, [userId, path]);
    if (group !== null) return group;
    const redirect = await this.redirect(path);
    if (redirect?.namespacePath === undefined || redirect.namespacePath === null) return null;
    const current = redirect.namespacePath + path.slice(redirect.path.length);
    return this.sql.row<GroupRow>(GROUP, [userId, current]);
  }

  private async byCurrentPath(path: string, userId: number | null): Promise<ProjectRow | null> {
    const slash = path.lastIndexOf('/');
    if (slash === -1) return null;
    return this.sql.row<ProjectRow>(
      `${PROJECT} lower(n.full_path) = lower($2) AND lower(p.path) = lower($3)`,
      [userId, path.slice(0, slash), path.slice(slash + 1)],
    );
  }

  private async byOldPath(path: string, userId: number | null): Promise<ProjectRow | null> {
    const redirect = await this.redirect(path);
    if (redirect === null) return null;
    if (redirect.projectId !== null) {
      return redirect.path.length === path.length ? this.byId(redirect.projectId, userId) : null;
    }
    const rest = path.slice(redirect.path.length);
    return this.byCurrentPath(`${redirect.namespacePath}${rest}`, userId);
  }

  /** The longest beginning of the path that something was called before. */
  private redirect(path: string): Promise<RedirectRow | null> {
    const segments = path.toLowerCase().split('/');
    const beginnings = segments.map((_, index) => segments.slice(0, index + 1).join('/'));
    return this.sql.row<RedirectRow>(REDIRECTS, [beginnings]);
  }
}

function isPath(path: string): boolean {
  return PATH.test(path) && path.split('/').length <= MAX_SEGMENTS;
}
