import { Injectable } from '@nestjs/common';
import { DataSource, QueryFailedError, Repository, type EntityManager } from 'typeorm';
import { ConflictError } from '../../core/errors.js';
import { Namespace } from './namespace.entity.js';
import { RouteRedirectsRepository } from './route-redirects.repository.js';
import {
  DEEPEST_SQL,
  HIDE_GROUP_SQLS,
  INSERT_GROUP_SQL,
  LOCKED_SQL,
  MOVE_SQL,
  MOVING_SQL,
  PATH_TAKEN_SQL,
} from './sql/namespace-tree.js';
import type { User } from './user.entity.js';

/** Advisory lock that stands for the shape of the whole tree of groups. */
const TREE_LOCK = 7_220_001;

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

/** The user whose name and username a namespace bears. */
type Owner = Pick<User, 'id' | 'username' | 'name'>;

/** Owns every statement about the tree of namespaces: those of users, and groups. */
@Injectable()
export class NamespacesRepository extends Repository<Namespace> {
  constructor(
    dataSource: DataSource,
    private readonly redirects: RouteRedirectsRepository,
  ) {
    super(Namespace, dataSource.manager);
  }

  /**
   * Adding a group to the tree excludes only renames and transfers, which rewrite the full paths
   * of everything below: a group added meanwhile would keep the former ones.
   */
  async lockTreeToAdd(manager: EntityManager): Promise<void> {
    await manager.query('SELECT pg_advisory_xact_lock_shared($1)', [TREE_LOCK]);
  }

  /** Renames, transfers and deletions change the tree one after the other. */
  async lockTreeToReshape(manager: EntityManager): Promise<void> {
    await manager.query('SELECT pg_advisory_xact_lock($1)', [TREE_LOCK]);
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
    await this.redirects.takeOver(manager, { id, fullPath });
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
      await this.redirects.addGroups(manager, group.id);
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
    await this.redirects.takeOver(manager, { id: group.id, fullPath });
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

  /**
   * Hides the group and all below it, for the worker to delete. Only under `lockTreeToReshape`.
   * Throws ConflictError while a repository of any of them is being moved.
   */
  async hideGroup(manager: EntityManager, groupId: number): Promise<void> {
    // Marking locks the rows that scheduling a move locks, so it is either seen below or refused.
    for (const text of HIDE_GROUP_SQLS) await manager.query(text, [groupId]);
    const rows = await manager.query<{ groups: boolean; projects: boolean; snippets: boolean }[]>(
      MOVING_SQL,
      [groupId],
    );
    const [moving] = rows;
    const kind = (['groups', 'projects', 'snippets'] as const).find((name) => moving?.[name]);
    if (kind === undefined) return;
    const noun = kind === 'groups' ? 'group' : kind === 'projects' ? 'project' : 'related snippet';
    throw new ConflictError(
      `Couldn't remove the group. A ${noun} repository storage move is in progress. Try again when it's complete.`,
    );
  }

  /** Inserts the namespace that bears the user's name; returns its id. */
  async insertOfUser(manager: EntityManager, owner: Owner): Promise<number> {
    const inserted = await manager.insert(Namespace, {
      kind: 'user',
      ownerId: owner.id,
      name: owner.name,
      path: owner.username,
      fullPath: owner.username,
      fullName: owner.name,
    });
    const id = (inserted.identifiers[0] as { id: number }).id;
    await manager.update(Namespace, { id }, { traversalIds: [id] });
    await this.redirects.takeOver(manager, { id, fullPath: owner.username });
    return id;
  }

  /**
   * Makes the namespace bear the user's present name and username. The former paths of the
   * namespace and its projects redirect there until someone else takes them. Bots have none.
   */
  async renameOfUser(manager: EntityManager, owner: Owner): Promise<void> {
    const namespace = await manager.findOneBy(Namespace, { ownerId: owner.id });
    if (namespace === null) return;
    const { username: path, name } = owner;
    const values = { name, path, fullPath: path, fullName: name, updatedAt: new Date() };
    await manager.update(Namespace, { id: namespace.id }, values);
    if (namespace.fullPath.toLowerCase() === path.toLowerCase()) return;
    await this.redirects.takeOver(manager, { id: namespace.id, fullPath: path });
    await this.redirects.addUserNamespace(manager, namespace);
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
