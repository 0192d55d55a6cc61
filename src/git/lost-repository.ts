import { StorageUnavailableError } from '../core/errors.js';
import type { Sql } from '../core/sql/sql.service.js';
import { repositoryKey, type RepositoryKind } from './repository-path.js';

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
 * Throws 503, logged as an error, if the missing repository must exist. Wiki repositories are
 * created later, so a missing one is no fault.
 */
export async function assertNotLost(
  sql: Sql,
  { kind, containerId }: { kind: RepositoryKind; containerId: number },
): Promise<void> {
  const statement = HOLDING_SQL[kind];
  if (statement === undefined) return;
  const holder = await sql.row<{ storage: string }>(statement, [containerId]);
  if (holder === null) return;
  const { storage } = holder;
  const cause = new Error(`${repositoryKey(kind, containerId)} is missing on storage ${storage}`);
  throw new StorageUnavailableError(`The repository is missing on storage ${storage}.`, cause);
}
