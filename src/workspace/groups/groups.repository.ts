import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { NotFoundError } from '../../core/errors.js';
import type { JsonItem } from '../../core/pagination/json-items.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import type { IdOrPath } from '../../core/params/ids.js';
import { Conditions } from '../../core/sql/conditions.js';
import { JsonPages, type ItemFormat } from '../../core/sql/json-pages.service.js';
import { Sql } from '../../core/sql/sql.service.js';
import { Group } from './group.entity.js';
import {
  addGroupConditions,
  addGroupSearch,
  GROUP_FROM,
  groupColumns,
  groupsStatement,
  type FreshGroup,
  type GroupsQuery,
} from './sql/group-list.js';

const LISTED = groupColumns('viewer.id');

const FIND_SQL = `SELECT ${groupColumns('$1')} FROM ${GROUP_FROM} WHERE NOT g.pending_delete AND `;

const INSERT_SQL = `
  INSERT INTO groups (id, description, visibility, request_access_enabled, emails_enabled,
    repository_storage, avatar)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;

const UPDATE_SQL = `
  UPDATE groups SET description = coalesce($2, description),
    request_access_enabled = coalesce($3, request_access_enabled),
    emails_enabled = coalesce($4, emails_enabled) WHERE id = $1`;

const MORE_VISIBLE_SQL = `
  SELECT EXISTS (SELECT 1 FROM projects WHERE namespace_id = $1 AND visibility > $2) AS projects,
    EXISTS (SELECT 1 FROM groups g JOIN namespaces n ON n.id = g.id
            WHERE n.parent_id = $1 AND g.visibility > $2) AS groups`;

const BELOW = 'SELECT id FROM namespaces WHERE traversal_ids @> ARRAY[$1::bigint]';

/** `container` names the column with the id of the group that a row is, or lies in. */
const lowerSql = (table: 'groups' | 'projects', container: 'id' | 'namespace_id'): string => `
  WITH before AS (
    SELECT id, visibility FROM ${table} WHERE ${container} IN (${BELOW}) AND visibility > $2::int
    FOR NO KEY UPDATE
  )
  UPDATE ${table} SET visibility = $2 FROM before WHERE ${table}.id = before.id
  RETURNING before.id, before.visibility AS before`;

const LOWER_GROUPS_SQL = lowerSql('groups', 'id');
const LOWER_PROJECTS_SQL = lowerSql('projects', 'namespace_id');

/** A group as guards and presenters need it, with the viewer's effective level in it. */
export interface GroupRow {
  id: number;
  name: string;
  path: string;
  fullPath: string;
  fullName: string;
  parentId: number | null;
  description: string;
  visibility: number;
  /** Digest of its avatar's images; null without one. */
  avatar: string | null;
  requestAccessEnabled: boolean;
  /** Own setting of the group. */
  emailsEnabled: boolean;
  /** Emails about the group are on in it and in all groups above. */
  sendsMails: boolean;
  repositoryStorage: string;
  repositoryReadOnly: boolean;
  createdAt: Date;
  updatedAt: Date;
  accessLevel: number;
}

/** A group, and whether it was found by a path that it no longer has. */
interface FoundGroup {
  group: GroupRow;
  moved: boolean;
}

/** A group or project with the visibility that it had before it was lowered. */
export interface LoweredRow {
  id: number;
  before: number;
}

/** The last group of a page in the order by name. */
export type GroupPosition = Pick<GroupRow, 'id' | 'name'>;

/** Owns every statement about groups; their place in the tree belongs to NamespacesRepository. */
@Injectable()
export class GroupsRepository extends Repository<Group> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
    private readonly pages: JsonPages,
  ) {
    super(Group, dataSource.manager);
  }

  /** Returns one page of the groups that the viewer can see. */
  async list(query: GroupsQuery, paging: Paging): Promise<Page<GroupRow>> {
    return this.queries.page<GroupRow>(await groupsStatement(this.queries, query), paging);
  }

  /** The same as JSON. */
  async listItems<Item>(
    query: GroupsQuery,
    paging: Paging,
    format: ItemFormat<Item, GroupRow, FreshGroup>,
  ): Promise<Page<JsonItem<Item>>> {
    return this.pages.page(await groupsStatement(this.queries, query), paging, format);
  }

  /** Returns the next `limit` groups by name, for keyset pagination. */
  async listAfter(
    query: GroupsQuery,
    after: GroupPosition | null,
    limit: number,
  ): Promise<GroupRow[]> {
    const where = new Conditions();
    const from = await addGroupConditions(where, this.queries, query);
    addGroupSearch(where, query.filters);
    if (after !== null) {
      where.and(`(n.name, n.id) > (${where.value(after.name)}, ${where.value(after.id)}::bigint)`);
    }
    const text = `SELECT ${LISTED} FROM ${from} WHERE ${String(where)}
      ORDER BY n.name, n.id LIMIT ${where.value(limit)}`;
    return this.queries.rows<GroupRow>(text, where.values);
  }

  /**
   * Returns a group by id, full path or former full path, and null for an unknown one or one that
   * is being deleted. Whether the user can see it is left to the caller.
   */
  async findByIdOrPath(wanted: IdOrPath, userId: number | null): Promise<FoundGroup | null> {
    if ('id' in wanted) return found(await this.findById(wanted.id, userId), false);
    const { path } = wanted;
    const group = await this.findRow('lower(n.full_path) = lower($2)', [userId, path]);
    if (group !== null) return { group, moved: false };
    const redirect = `g.id = (SELECT r.namespace_id FROM route_redirects r
      WHERE lower(r.path) = lower($2))`;
    return found(await this.findRow(redirect, [userId, path]), true);
  }

  /** Returns the group with this id or null. */
  findById(id: number, userId: number | null): Promise<GroupRow | null> {
    return this.findRow('g.id = $2', [userId, id]);
  }

  /** Returns the group with this id; throws NotFoundError. */
  async getById(id: number, userId: number | null): Promise<GroupRow> {
    const group = await this.findById(id, userId);
    if (group === null) throw new NotFoundError('Group');
    return group;
  }

  private findRow(condition: string, values: unknown[]): Promise<GroupRow | null> {
    return this.queries.lookUp<GroupRow>(FIND_SQL + condition, values);
  }

  /** Inserts what a group has beyond its namespace, whose id it shares. */
  async insertGroup(
    manager: EntityManager,
    group: Omit<Group, 'pendingDelete' | 'repositoryReadOnly' | 'readOnlyMoveId'>,
  ): Promise<void> {
    await manager.query(INSERT_SQL, [
      group.id,
      group.description,
      group.visibility,
      group.requestAccessEnabled,
      group.emailsEnabled,
      group.repositoryStorage,
      group.avatar,
    ]);
  }

  /** Changes the given attributes and keeps the others. */
  async updateAttributes(
    manager: EntityManager,
    id: number,
    changes: Partial<Pick<Group, 'description' | 'requestAccessEnabled' | 'emailsEnabled'>>,
  ): Promise<void> {
    const { description = null, requestAccessEnabled = null, emailsEnabled = null } = changes;
    await manager.query(UPDATE_SQL, [id, description, requestAccessEnabled, emailsEnabled]);
  }

  /** Sets the digest of the avatar's images, null for none. */
  async updateAvatar(manager: EntityManager, id: number, digest: string | null): Promise<void> {
    await manager.query('UPDATE groups SET avatar = $2 WHERE id = $1', [id, digest]);
  }

  /** Sets the visibility of one group. */
  async updateVisibility(manager: EntityManager, id: number, level: number): Promise<void> {
    await manager.query('UPDATE groups SET visibility = $2 WHERE id = $1', [id, level]);
  }

  /** Returns which kinds of direct children are more visible than `level`. */
  async findMoreVisibleChildren(
    manager: EntityManager,
    id: number,
    level: number,
  ): Promise<{ projects: boolean; groups: boolean }> {
    const rows = await manager.query<{ projects: boolean; groups: boolean }[]>(MORE_VISIBLE_SQL, [
      id,
      level,
    ]);
    return rows[0] ?? { projects: false, groups: false };
  }

  /** Lowers a group and all groups and projects below it to `level`; returns the changed ones. */
  async lowerVisibility(
    manager: EntityManager,
    id: number,
    level: number,
  ): Promise<{ groups: LoweredRow[]; projects: LoweredRow[] }> {
    const [groups] = await manager.query<[LoweredRow[], number]>(LOWER_GROUPS_SQL, [id, level]);
    const [projects] = await manager.query<[LoweredRow[], number]>(LOWER_PROJECTS_SQL, [id, level]);
    return { groups, projects };
  }
}

function found(group: GroupRow | null, moved: boolean): FoundGroup | null {
  return group === null ? null : { group, moved };
}
