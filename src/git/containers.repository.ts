import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StorageUnavailableError } from '../core/errors.js';
import { onPrimary } from '../core/sql/replica/request-reads.js';
import { Sql } from '../core/sql/sql.service.js';
import { repositoryKey, type ContainerKind, type RepositoryKind } from './repository-path.js';

/** Attributes of a container that decide where, and if, its repositories are writable. */
export interface ContainerState {
  storage: string;
  readOnly: boolean;
}

const TABLES: Record<ContainerKind, string> = {
  project: 'projects',
  snippet: 'snippets',
  group: 'groups',
};

/**
 * Selects the storage of a repository that must exist: of a project with pushes or a snippet with
 * files.
 */
const HOLDING_SQL: Partial<Record<RepositoryKind, string>> = {
  project: `SELECT repository_storage AS storage FROM projects
    WHERE id = $1 AND NOT empty_repo AND NOT pending_delete`,
  snippet: `SELECT repository_storage AS storage FROM snippets WHERE id = $1 AND has_repository`,
};

/**
 * Owns the statements about the columns that projects, snippets and groups share as containers of
 * repositories; all else about them belongs to their own features above.
 */
@Injectable()
export class ContainersRepository {
  constructor(private readonly queries: Sql) {}

  /** Not cached, since a move changes both at any moment; null without the container. */
  findState(kind: ContainerKind, id: number): Promise<ContainerState | null> {
    const text = `SELECT repository_storage AS storage, repository_read_only AS "readOnly"
     FROM ${TABLES[kind]} WHERE id = $1`;
    return onPrimary(() => this.queries.row<ContainerState>(text, [id]));
  }

  /**
   * Throws 503, logged as an error, if the missing repository must exist. Wiki repositories are
   * created later, so a missing one is no fault.
   */
  async assertNotLost({
    kind,
    containerId,
  }: {
    kind: RepositoryKind;
    containerId: number;
  }): Promise<void> {
    const statement = HOLDING_SQL[kind];
    if (statement === undefined) return;
    const holder = await onPrimary(() =>
      this.queries.row<{ storage: string }>(statement, [containerId]),
    );
    if (holder === null) return;
    const { storage } = holder;
    const cause = new Error(`${repositoryKey(kind, containerId)} is missing on storage ${storage}`);
    throw new StorageUnavailableError(`The repository is missing on storage ${storage}.`, cause);
  }

  /** Returns whether a container has its repositories on the storage. */
  async isStorageInUse(storage: string): Promise<boolean> {
    const row = await this.queries.row<{ isInUse: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM projects WHERE repository_storage = $1)
           OR EXISTS (SELECT 1 FROM snippets WHERE repository_storage = $1)
           OR EXISTS (SELECT 1 FROM groups WHERE repository_storage = $1) AS "isInUse"`,
      [storage],
    );
    return row?.isInUse === true;
  }

  /** Returns the storages on which moves of the container left a copy that is still there. */
  async listStaleCopyStorages(kind: ContainerKind, id: number): Promise<string[]> {
    const left = await this.queries.rows<{ storage: string }>(
      `SELECT DISTINCT m.source_storage_name AS storage
       FROM ${kind}_repository_storage_moves m JOIN ${kind}s c ON c.id = m.${kind}_id
       WHERE c.id = $1 AND m.state = 'cleanup failed' AND m.phase = 'cleaning'
         AND m.source_storage_name <> c.repository_storage`,
      [id],
    );
    return left.map(({ storage }) => storage);
  }

  /** Records a push to a project; `head` is the branch of HEAD if the push brought a branch. */
  async recordProjectPush(manager: EntityManager, id: number, head: string | null): Promise<void> {
    await manager.query(
      `UPDATE projects SET last_activity_at = now(), empty_repo = empty_repo AND $2::text IS NULL,
       default_branch = coalesce($2, default_branch)
     WHERE id = $1`,
      [id, head],
    );
  }

  /** Locks a snippet until the transaction ends. */
  async lockSnippet(manager: EntityManager, id: number): Promise<void> {
    await manager.query('SELECT 1 FROM snippets WHERE id = $1 FOR UPDATE', [id]);
  }

  /** Records a write to a snippet's repository with the files that it has now. */
  async recordSnippetFiles(
    manager: EntityManager,
    id: number,
    files: readonly string[],
  ): Promise<void> {
    await manager.query(
      `UPDATE snippets SET file_paths = $2, has_repository = true, updated_at = now() WHERE id = $1`,
      [id, files],
    );
  }
}
