import { Injectable } from '@nestjs/common';
import { DataSource, QueryFailedError, Repository, type EntityManager } from 'typeorm';
import type { Viewer } from '../core/access/viewer.js';
import { NotFoundError } from '../core/errors.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import type { IdOrPath } from '../core/params/ids.js';
import { Conditions, containsPattern } from '../core/sql/conditions.js';
import { Sql } from '../core/sql/sql.service.js';
import { authorizedNamespacesSql } from '../members/authorized-sql.js';
import { ROLES } from '../members/roles.js';
import { VISIBILITY } from '../members/visibility.js';
import { Namespace } from '../users/namespace.entity.js';
import { takeOverPath } from '../users/route-redirects.js';
import type { ListNamespacesDto } from './namespace.dto.js';
import type { NamespaceRow } from './namespace.presenter.js';

const SELECT = `n.id, n.name, n.path, n.kind, n.full_path AS "fullPath", n.parent_id AS "parentId",
  n.owner_id AS "ownerId", coalesce(g.avatar, u.avatar) AS avatar`;
const FROM = `namespaces n LEFT JOIN groups g ON g.id = n.id LEFT JOIN users u ON u.id = n.owner_id`;
const ALIVE = 'g.pending_delete IS NOT TRUE';

const LOCKED_SQL = `
  SELECT n.id, n.kind, n.parent_id AS "parentId", n.owner_id AS "ownerId",
    n.path, n.name, n.full_path AS "fullPath", n.full_name AS "fullName",
    n.traversal_ids AS "traversalIds", g.visibility,
    coalesce(g.pending_delete, false) AS "pendingDelete"
  FROM namespaces n LEFT JOIN groups g ON g.id = n.id WHERE n.id = $1`;

const PATH_TAKEN_SQL = `
  SELECT 1 FROM projects WHERE namespace_id = $1 AND lower(path) = lower($2)
  UNION ALL
  SELECT 1 FROM namespaces WHERE parent_id = $1 AND lower(path) = lower($2)`;

const INSERT_GROUP_SQL = `
  WITH new AS (SELECT nextval(pg_get_serial_sequence('namespaces', 'id')) AS id)
  INSERT INTO namespaces (id, kind, parent_id, name, path, full_path, full_name, traversal_ids)
  SELECT id, 'group', $1, $2, $3, $4, $5, $6::bigint[] || id FROM new RETURNING id`;

const MOVE_SQL = `
  UPDATE namespaces SET
    full_path = $2::text || substr(full_path, length($3::text) + 1),
    full_name = $4::text || substr(full_name, length($5::text) + 1),
    traversal_ids = $6::bigint[] || traversal_ids[array_position(traversal_ids, $1::bigint):],
    parent_id = CASE WHEN id = $1 THEN $7::bigint ELSE parent_id END,
    path = CASE WHEN id = $1 THEN $8::text ELSE path END,
    name = CASE WHEN id = $1 THEN $9::text ELSE name END,
    updated_at = now()
  WHERE traversal_ids @> ARRAY[$1]::bigint[]`;

const REDIRECT_SQL = `
  INSERT INTO route_redirects (path, namespace_id)
  SELECT full_path, id FROM namespaces WHERE traversal_ids @> ARRAY[$1]::bigint[]
  ON CONFLICT (lower(path)) DO UPDATE
    SET namespace_id = EXCLUDED.namespace_id, project_id = NULL`;

const DEEPEST_SQL = `
  SELECT max(cardinality(traversal_ids)) AS deepest FROM namespaces
  WHERE traversal_ids @> ARRAY[$1]::bigint[]`;

/** A namespace as it is once its row is locked. */
export interface LockedNamespace {
  id: number;
  kind: 'user' | 'group';
  parentId: number | null;
  ownerId: number | null;
  path: string;
  name: string;
  fullPath: string;
  fullName: string;
  traversalIds: number[];
  /** Null for the namespace of a user, which can hold projects of any visibility. */
  visibility: number | null;
  pendingDelete: boolean;
}

/** The position of a group in the tree. */
interface GroupPlacement {
  parent: LockedNamespace | null;
  path: string;
  name: string;
}

/** Owns the statements about the tree of namespaces: those of users, and groups. */
@Injectable()
export class NamespacesRepository extends Repository<Namespace> {
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
      where.and(`n.owner_id = ${user} OR n.id IN (${groups})`);
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

  /**
   * Reads a namespace and keeps others from adding to it, renaming inside it or changing its
   * visibility until the transaction ends. Returns null for one that is unknown or being deleted.
   */
  async lock(manager: EntityManager, id: number): Promise<LockedNamespace | null> {
    await manager.query('SELECT 1 FROM namespaces WHERE id = $1 FOR NO KEY UPDATE', [id]);
    const [row] = await manager.query<LockedNamespace[]>(LOCKED_SQL, [id]);
    return row === undefined || row.pendingDelete ? null : row;
  }

  /** Returns true when a subgroup or project of the locked namespace already has this path. */
  async isPathTaken(manager: EntityManager, parentId: number, path: string): Promise<boolean> {
    const rows = await manager.query<unknown[]>(PATH_TAKEN_SQL, [parentId, path]);
    return rows.length > 0;
  }

  /** Inserts the namespace of a new group; returns its id. */
  async insertGroup(
    manager: EntityManager,
    { parent, name, path }: GroupPlacement,
  ): Promise<number> {
    const { fullPath, fullName } = fullNaming({ parent, name, path });
    const traversalIds = parent?.traversalIds ?? [];
    const values = [parent?.id ?? null, name, path, fullPath, fullName, traversalIds];
    const rows = await manager.query<{ id: number }[]>(INSERT_GROUP_SQL, values);
    const { id } = rows[0] as { id: number };
    await takeOverPath(manager, { id, fullPath });
    return id;
  }

  /**
   * Gives a group another parent, path or name and rewrites the paths, names and ancestors of all
   * below it in one statement. Every former path becomes a redirect, and redirects from the new
   * paths end. Only under `lockTreeToReshape`.
   */
  async moveGroup(
    manager: EntityManager,
    group: LockedNamespace,
    { parent, path, name }: GroupPlacement,
  ): Promise<void> {
    const { fullPath, fullName } = fullNaming({ parent, name, path });
    if (fullPath.toLowerCase() !== group.fullPath.toLowerCase()) {
      await manager.query(REDIRECT_SQL, [group.id]);
    }
    await manager.query(MOVE_SQL, [
      group.id,
      fullPath,
      group.fullPath,
      fullName,
      group.fullName,
      parent?.traversalIds ?? [],
      parent?.id ?? null,
      path,
      name,
    ]);
    await takeOverPath(manager, { id: group.id, fullPath });
  }

  /** Counts the levels of groups from this one down, itself included. */
  async countLevels(
    manager: EntityManager,
    { id, traversalIds }: LockedNamespace,
  ): Promise<number> {
    const rows = await manager.query<{ deepest: number }[]>(DEEPEST_SQL, [id]);
    return Number(rows[0]?.deepest) - traversalIds.length + 1;
  }

  /** Sets the time of the last change to now. */
  async touch(manager: EntityManager, id: number): Promise<void> {
    await manager.query('UPDATE namespaces SET updated_at = now() WHERE id = $1', [id]);
  }
}

function fullNaming({ parent, path, name }: GroupPlacement): {
  fullPath: string;
  fullName: string;
} {
  return parent === null
    ? { fullPath: path, fullName: name }
    : { fullPath: `${parent.fullPath}/${path}`, fullName: `${parent.fullName} / ${name}` };
}

/** Returns true for the error of a path that another namespace has, in any case. */
export function isNamespaceTaken(error: unknown): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const { constraint } = error.driverError as { constraint?: string };
  return constraint === 'uq_namespaces_full_path';
}
