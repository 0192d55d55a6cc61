import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { NotFoundError } from '../../core/errors.js';
import type { JsonItem } from '../../core/pagination/json-items.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import type { IdOrPath } from '../../core/params/ids.js';
import { JsonPages, type ItemFormat } from '../../core/sql/json-pages.service.js';
import { firstRowsStatement } from '../../core/sql/list-query.js';
import { Sql } from '../../core/sql/sql.service.js';
import type { AccessLevel, NO_ACCESS } from '../../identity/members/roles.js';
import type { UserBasics } from '../../identity/users/user.presenter.js';
import type { NamespaceRow } from '../groups/group.response.js';
import { assertNotTooDeep, assertTakesChanges, takenError } from './project-attributes.js';
import { Project } from './project.entity.js';
import { projectsStatement, type FreshProject, type ProjectsQuery } from './sql/project-list.js';
import {
  FIND_SQL,
  HOLD_SQL,
  LOCK_FOR_CHANGE_SQL,
  LOCK_SQL,
  NAMED_SQL,
  NEXT_ID_SQL,
  QUOTA_SQL,
  TAKEN_SQL,
  type ProjectColumns,
} from './sql/project-statements.js';

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
  /** Own setting of the project; groups above count as well. */
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
  /** True if no group above has disabled emails. */
  groupsSendMails: boolean;
}

/** A project, and whether it was found by a path that it no longer has. */
interface FoundProject {
  project: ProjectRow;
  moved: boolean;
}

/** A project by its name and path. */
export interface NamedProject {
  id: number;
  name: string;
  fullPath: string;
}

/** A project as it is by now: it may have changed since the request found it. */
type LockedProject = Pick<
  ProjectRow,
  | 'id'
  | 'name'
  | 'path'
  | 'visibility'
  | 'description'
  | 'topics'
  | 'namespaceId'
  | `${'issues' | 'mergeRequests' | 'wiki' | 'snippets' | 'repository' | 'emails'}Enabled`
  | 'requestAccessEnabled'
> & { namespaceFullPath: string };

/** Owns every statement about projects; hiding and deleting them belongs to ContainerDeletionsRepository. */
@Injectable()
export class ProjectsRepository extends Repository<Project> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
    private readonly pages: JsonPages,
  ) {
    super(Project, dataSource.manager);
  }

  /**
   * Returns one page of the projects that the viewer can see. Throws 400 when filtering by
   * `updated_at` without ordering by it, 405 for too deep a page.
   */
  async list(query: ProjectsQuery, paging: Paging): Promise<Page<CountedProjectRow>> {
    assertNotTooDeep(paging);
    const statement = await projectsStatement(this.queries, query);
    return this.queries.page<CountedProjectRow>(statement, paging);
  }

  /** The same as JSON. */
  async listItems<Item>(
    query: ProjectsQuery,
    paging: Paging,
    format: ItemFormat<Item, ProjectRow, FreshProject>,
  ): Promise<Page<JsonItem<Item>>> {
    assertNotTooDeep(paging);
    return this.pages.page(await projectsStatement(this.queries, query), paging, format);
  }

  /** Returns the first rows of the list, for keyset pagination, where a filter by id is the position. */
  async listFirst(query: ProjectsQuery, limit: number): Promise<CountedProjectRow[]> {
    const statement = await projectsStatement(this.queries, query);
    const { text, values } = firstRowsStatement(statement, limit);
    return this.queries.rows<CountedProjectRow>(text, values);
  }

  /**
   * Returns a project by id, full path or former full path, and null for an unknown one or one that
   * is being deleted. Does not check visibility; `columns` are all that the row has.
   */
  async findByIdOrPath(
    wanted: IdOrPath,
    userId: number | null,
    columns: ProjectColumns = 'whole',
  ): Promise<FoundProject | null> {
    const { byId, byPath, byFormerPath } = FIND_SQL[columns];
    const row = (text: string, values: unknown[]) => this.queries.lookUp<ProjectRow>(text, values);
    if ('id' in wanted) return found(await row(byId, [userId, wanted.id]), false);
    const slash = wanted.path.lastIndexOf('/');
    if (slash === -1) return null;
    const values = [userId, wanted.path.slice(0, slash), wanted.path.slice(slash + 1)];
    const project = await row(byPath, values);
    if (project !== null) return { project, moved: false };
    return found(await row(byFormerPath, values), true);
  }

  /** Returns the project with this id or null. */
  findById(id: number, userId: number | null): Promise<ProjectRow | null> {
    return this.queries.lookUp<ProjectRow>(FIND_SQL.whole.byId, [userId, id]);
  }

  /** Returns the project with this id and its counts; throws NotFoundError. */
  async getById(id: number, userId: number | null): Promise<CountedProjectRow> {
    const values = [userId, id];
    const project = await this.queries.lookUp<CountedProjectRow>(FIND_SQL.counted.byId, values);
    if (project === null) throw new NotFoundError('Project');
    return project;
  }

  /** Returns the names and paths of projects. */
  findNamed(ids: readonly number[]): Promise<NamedProject[]> {
    return this.queries.rows<NamedProject>(NAMED_SQL, [ids]);
  }

  /**
   * Reads a project and keeps others from changing it until the transaction ends. Lock the namespace
   * that it is to be in first. Throws NotFoundError when it is gone or being deleted.
   */
  async lock(manager: EntityManager, id: number): Promise<LockedProject> {
    const [project] = await manager.query<LockedProject[]>(LOCK_SQL, [id]);
    if (project === undefined) throw new NotFoundError('Project');
    return project;
  }

  /**
   * Serialises changes of what belongs to a project: its row is locked until the transaction ends.
   * Throws NotFoundError when it is gone or being deleted, ForbiddenError when it is archived.
   */
  async lockForChange(manager: EntityManager, id: number): Promise<void> {
    const [project] = await manager.query<{ archived: boolean }[]>(LOCK_FOR_CHANGE_SQL, [id]);
    if (project === undefined) throw new NotFoundError('Project');
    assertTakesChanges(project);
  }

  /** Keeps a project from being marked for deletion until the transaction ends; throws NotFoundError. */
  async hold(manager: EntityManager, id: number): Promise<void> {
    const rows = await manager.query<unknown[]>(HOLD_SQL, [id]);
    if (rows.length === 0) throw new NotFoundError('Project');
  }

  /**
   * Throws 400 when the namespace has another project of that name or path, or a subgroup of that
   * path. Certain only while the namespace is locked.
   */
  async assertFree(
    manager: EntityManager,
    namespaceId: number,
    { name, path, exceptId = 0 }: { name: string; path: string; exceptId?: number },
  ): Promise<void> {
    const [taken] = await manager.query<{ name: boolean; path: boolean }[]>(TAKEN_SQL, [
      namespaceId,
      name,
      path,
      exceptId,
    ]);
    if (taken !== undefined && (taken.name || taken.path)) throw takenError(taken);
  }

  /** Returns an id that no other project gets. */
  async nextId(): Promise<number> {
    const [row] = await this.manager.query<{ id: number }[]>(NEXT_ID_SQL);
    return Number(row?.id);
  }

  /** Counts the projects in a user's namespace; null when the user is gone. */
  async findQuota(
    manager: EntityManager,
    namespace: { id: number; ownerId: number },
  ): Promise<{ count: number; limit: number } | null> {
    const { id, ownerId } = namespace;
    const rows = await manager.query<{ count: number; limit: number }[]>(QUOTA_SQL, [id, ownerId]);
    return rows[0] ?? null;
  }
}

function found(project: ProjectRow | null, moved: boolean): FoundProject | null {
  return project === null ? null : { project, moved };
}

/** Returns the path that names the project in addresses: `group/subgroup/project`. */
export function fullPathOf(project: { path: string; namespace: { fullPath: string } }): string {
  return `${project.namespace.fullPath}/${project.path}`;
}
