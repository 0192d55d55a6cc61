import { StorageUnavailableError } from '../core/errors.js';
import type { Sql } from '../core/sql/sql.service.js';
import { repositoryKey, type RepositoryKind } from './repository-path.js';

/** Where a repository is that must be there: of what was pushed to, or of a snippet that was made. */
const HOLDING_SQL: Partial<Record<RepositoryKind, string>> = {
  project: `SELECT repository_storage AS storage FROM projects
    WHERE id = $1 AND NOT empty_repo AND NOT pending_delete`,
  snippet: `SELECT repository_storage AS storage FROM snippets WHERE id = $1 AND has_repository`,
};

/**
 * Throws 503 for a repository that is not where it must be, which the log tells as an error; to be
 * called when it was not found. Wikis come into being later, so that nobody misses them.
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
