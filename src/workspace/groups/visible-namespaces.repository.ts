import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import type { Viewer } from '../../core/access/auth-context.js';
import { NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import type { IdOrPath } from '../../core/params/ids.js';
import { Conditions, containsPattern } from '../../core/sql/conditions.js';
import { Sql } from '../../core/sql/sql.service.js';
import { accessLevelSql, authorizedNamespacesSql } from '../../identity/members/sql/access.js';
import { ROLES } from '../../identity/members/roles.js';
import { VISIBILITY } from '../../identity/members/visibility.js';
import { Namespace } from '../../identity/users/namespace.entity.js';
import type { ListNamespacesDto } from './group.dto.js';
import type { NamespaceRow } from './group.response.js';

const SELECT = `n.id, n.name, n.path, n.kind, n.full_path AS "fullPath", n.parent_id AS "parentId",
  n.owner_id AS "ownerId", coalesce(g.avatar, u.avatar) AS avatar`;
const FROM = `namespaces n LEFT JOIN groups g ON g.id = n.id LEFT JOIN users u ON u.id = n.owner_id`;
const ALIVE = 'g.pending_delete IS NOT TRUE';

/** Most namespaces that a form offers; the API takes any of them. */
const MAX_CHOICES = 500;

const CHOICES_SQL = `
  SELECT n.id, n.full_path AS "fullPath"
  FROM namespaces n LEFT JOIN groups g ON g.id = n.id
  WHERE ${ALIVE} AND (n.owner_id = $1 AND $2::boolean
    OR g.id IN (${authorizedNamespacesSql('$1', String(ROLES.developer))}))
  ORDER BY g.id IS NOT NULL, lower(n.full_path) LIMIT ${MAX_CHOICES}`;

const ACCESS = `
  SELECT n.id, n.owner_id AS "ownerId", g.visibility,
    ${accessLevelSql('$1', 'n', 'NULL')} AS "accessLevel"
  FROM namespaces n LEFT JOIN groups g ON g.id = n.id WHERE ${ALIVE} AND `;

/** A namespace that a form offers for a project. */
export interface NamespaceChoice {
  id: number;
  fullPath: string;
}

/** The attributes of a namespace that decide whether someone can create projects in it. */
export interface NamespaceAccess {
  id: number;
  ownerId: number | null;
  /** Null for the namespace of a user. */
  visibility: number | null;
  accessLevel: number;
}

/** Owns the statements that show namespaces to a viewer; their tree belongs to NamespacesRepository. */
@Injectable()
export class VisibleNamespacesRepository extends Repository<Namespace> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(Namespace, dataSource.manager);
  }

  /** Returns one page of the viewer's own namespace and groups; of all for administrators. */
  list(filters: ListNamespacesDto, viewer: Viewer, paging: Paging): Promise<Page<NamespaceRow>> {
    const where = new Conditions();
    where.and(ALIVE);
    const level = filters.owned_only === true ? ROLES.owner : ROLES.guest;
    if (!viewer.admin || filters.owned_only === true) {
      const user = where.value(viewer.id);
      const groups = authorizedNamespacesSql(user, String(level));
      const own = `SELECT id FROM namespaces WHERE owner_id = ${user}`;
      where.and(`n.id = ANY(ARRAY(${own} UNION ALL ${groups}))`);
    }
    if (filters.top_level_only === true) where.and('n.parent_id IS NULL');
    if (filters.search) {
      const pattern = where.value(containsPattern(filters.search));
      where.and(`n.name ILIKE ${pattern} OR n.full_path ILIKE ${pattern}`);
    }
    const query = { select: SELECT, from: FROM, where: String(where), values: where.values };
    return this.queries.page<NamespaceRow>({ ...query, orderBy: 'n.id' }, paging);
  }

  /** Throws NotFoundError also for another user's namespace and a group that is not visible. */
  async findVisible(wanted: IdOrPath, viewer: Viewer): Promise<NamespaceRow> {
    const where = new Conditions();
    where.and(ALIVE);
    if ('id' in wanted) where.and(`n.id = ${where.value(wanted.id)}`);
    if ('path' in wanted) where.and(`lower(n.full_path) = lower(${where.value(wanted.path)})`);
    if (!viewer.admin) {
      const user = where.value(viewer.id);
      const open = viewer.external ? VISIBILITY.public : VISIBILITY.internal;
      const own = authorizedNamespacesSql(user, String(ROLES.guest));
      where.and(`n.owner_id = ${user} OR g.visibility >= ${open} OR g.id IN (${own})`);
    }
    const text = `SELECT ${SELECT} FROM ${FROM} WHERE ${String(where)}`;
    const row = await this.queries.row<NamespaceRow>(text, where.values);
    if (row === null) throw new NotFoundError('Namespace');
    return row;
  }

  /** Returns the id of the user's own namespace; null for a bot. */
  async findIdOfUser(userId: number): Promise<number | null> {
    const row = await this.queries.row<{ id: number }>(
      'SELECT id FROM namespaces WHERE owner_id = $1',
      [userId],
    );
    return row?.id ?? null;
  }

  /** Returns the user's own namespace, then the groups in which their role lets them create projects. */
  findChoices(viewer: Viewer): Promise<NamespaceChoice[]> {
    return this.queries.rows<NamespaceChoice>(CHOICES_SQL, [
      viewer.id,
      viewer.admin || !viewer.external,
    ]);
  }

  /** Returns a namespace with the user's level in it, or null. */
  findAccess(wanted: IdOrPath, userId: number): Promise<NamespaceAccess | null> {
    const [condition, value] =
      'id' in wanted ? ['n.id = $2', wanted.id] : ['lower(n.full_path) = lower($2)', wanted.path];
    return this.queries.row<NamespaceAccess>(ACCESS + condition, [userId, value]);
  }
}
