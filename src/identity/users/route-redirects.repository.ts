import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { RouteRedirect } from './namespace.entity.js';

const TAKE_OVER_SQL = `
  DELETE FROM route_redirects r
  WHERE lower(r.path) = lower($2) OR (
    starts_with(lower(r.path), lower($2) || '/') AND NOT EXISTS (
      SELECT 1 FROM namespaces n
        LEFT JOIN projects p ON p.id = r.project_id AND p.namespace_id = n.id
      WHERE n.traversal_ids @> ARRAY[$1]::bigint[]
        AND (n.id = r.namespace_id OR p.id IS NOT NULL)
        AND lower(r.path) <> lower(concat_ws('/', n.full_path, p.path))))`;

const ADD_GROUPS_SQL = `
  INSERT INTO route_redirects (path, namespace_id)
  SELECT full_path, id FROM namespaces WHERE traversal_ids @> ARRAY[$1]::bigint[]
  ON CONFLICT (lower(path)) DO UPDATE
    SET namespace_id = EXCLUDED.namespace_id, project_id = NULL`;

const ADD_USER_NAMESPACE_SQL = `
  INSERT INTO route_redirects (path, namespace_id, project_id)
  SELECT $2::text, $1::bigint, NULL
  UNION ALL
  SELECT $2 || '/' || p.path, NULL, p.id FROM projects p
  WHERE p.namespace_id = $1 AND NOT p.pending_delete
  ON CONFLICT (lower(path)) DO UPDATE
    SET namespace_id = excluded.namespace_id, project_id = excluded.project_id`;

const ADD_PROJECT_SQL = `
  INSERT INTO route_redirects (path, project_id) VALUES ($2, $1)
  ON CONFLICT (lower(path)) DO UPDATE
    SET project_id = EXCLUDED.project_id, namespace_id = NULL`;

/** A namespace or project and a full path of it. */
interface NamedPath {
  id: number;
  fullPath: string;
}

/** Owns every write of redirects from former paths; lookups join them where a path is resolved. */
@Injectable()
export class RouteRedirectsRepository extends Repository<RouteRedirect> {
  constructor(dataSource: DataSource) {
    super(RouteRedirect, dataSource.manager);
  }

  /**
   * Ends every redirect from a full path that a namespace takes and from below it, since those
   * addresses are its own now. Redirects to something else in the namespace itself stay.
   */
  async takeOver(manager: EntityManager, { id, fullPath }: NamedPath): Promise<void> {
    await manager.query(TAKE_OVER_SQL, [id, fullPath]);
  }

  /** Redirects the present paths of a group and of all groups below it, before they change. */
  async addGroups(manager: EntityManager, groupId: number): Promise<void> {
    await manager.query(ADD_GROUPS_SQL, [groupId]);
  }

  /** Redirects the former path of a user's namespace, and those of its projects. */
  async addUserNamespace(manager: EntityManager, { id, fullPath }: NamedPath): Promise<void> {
    await manager.query(ADD_USER_NAMESPACE_SQL, [id, fullPath]);
  }

  /** Redirects the former path of a project. */
  async addProject(manager: EntityManager, { id, fullPath }: NamedPath): Promise<void> {
    await manager.query(ADD_PROJECT_SQL, [id, fullPath]);
  }

  /** Ends the redirect from a path that a project takes. */
  async deletePath(manager: EntityManager, fullPath: string): Promise<void> {
    await manager.query('DELETE FROM route_redirects WHERE lower(path) = lower($1)', [fullPath]);
  }
}
