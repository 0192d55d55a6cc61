import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { bareRepositoryExists } from '../git/bare-repository.js';
import { pushLockIsFree } from '../git/push-lock.js';
import {
  containerRepositoryKinds,
  relativeRepositoryPath,
  repositoryKey,
} from '../git/repository-path.js';
import { type BackedUpContainer, listContainers } from './backup/sql/database-catalog.js';
import type { Cli } from './cli.js';

export type Status = 'ok' | 'warning' | 'failed' | 'fixed';

export type Report = (status: Status, message: string) => void;

export interface Repair {
  isFixing: boolean;
  report: Report;
}

const HOUR_MS = 3_600_000;
const COPY_AGE_MS = 7 * 24 * HOUR_MS;
/** Names that are listed of many. */
const SHOWN = 10;

/** Compares repositories with rows, and finds what killed processes have left. */
export async function checkRepositories(cli: Cli, repair: Repair): Promise<void> {
  const client = new pg.Client({ connectionString: cli.config.databaseUrl });
  await client.connect();
  try {
    const containers = await listContainers(client);
    await checkPresence(cli, containers, repair.report);
    await checkLocks(cli, containers, repair);
  } finally {
    await client.end();
  }
}

/** Compares rows with folders, both ways. */
async function checkPresence(
  { config }: Cli,
  containers: readonly BackedUpContainer[],
  report: Report,
): Promise<void> {
  const expected = new Set<string>();
  const missing: string[] = [];
  for (const { kind, id, storage, is_required: isRequired } of containers) {
    for (const repository of containerRepositoryKinds[kind]) {
      const root = config.storages[storage]?.path;
      if (root === undefined) report('failed', `storage ${storage} of ${kind} ${id} is unknown`);
      const path = join(root ?? '', relativeRepositoryPath(repository, id));
      expected.add(path);
      const isMissing = isRequired && repository === kind && !(await bareRepositoryExists(path));
      if (isMissing) missing.push(`${repositoryKey(repository, id)} on ${storage}`);
    }
  }
  if (missing.length > 0) report('failed', `missing: ${shortened(missing)}`);
  const unknown: string[] = [];
  for (const { path: root } of Object.values(config.storages)) {
    const found = await repositoriesBelow(root);
    unknown.push(...found.filter((path) => !expected.has(path)));
  }
  if (unknown.length > 0) report('warning', `without a row: ${shortened(unknown)}`);
}

function shortened(names: readonly string[]): string {
  const rest = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  return `${names.slice(0, SHOWN).join(', ')}${rest}`;
}

/** Paths at `@hashed/ab/cd/name.git` and alike. */
async function repositoriesBelow(root: string): Promise<string[]> {
  let folders = ['@hashed', '@snippets', '@groups'].map((name) => join(root, name));
  for (let depth = 0; depth < 3; depth += 1) {
    const inner = await Promise.all(folders.map(entriesOf));
    folders = inner.flat();
  }
  return folders.filter((path) => path.endsWith('.git'));
}

async function entriesOf(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).map((name) => join(folder, name));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

/** Finds what killed processes of git and unfinished copies have left. */
async function checkLocks(
  { config }: Cli,
  containers: readonly BackedUpContainer[],
  { isFixing, report }: Repair,
): Promise<void> {
  const stale: string[] = [];
  for (const { kind, id, storage } of containers) {
    const root = config.storages[storage]?.path ?? '';
    for (const repository of containerRepositoryKinds[kind]) {
      const path = join(root, relativeRepositoryPath(repository, id));
      const locks = await staleFiles(path, /\.lock$/, HOUR_MS);
      if (locks.length === 0) continue;
      const lock = { storageRoot: root, repositoryKey: repositoryKey(repository, id) };
      if (await pushLockIsFree(lock, 0)) stale.push(...locks);
    }
  }
  for (const { path } of Object.values(config.storages)) {
    stale.push(...(await staleFiles(join(path, '+svc', 'tmp'), /./, COPY_AGE_MS)));
  }
  if (stale.length === 0) return;
  if (isFixing) for (const path of stale) await rm(path, { recursive: true, force: true });
  report(isFixing ? 'fixed' : 'warning', `stale locks and copies: ${shortened(stale)}`);
}

async function staleFiles(folder: string, names: RegExp, age: number): Promise<string[]> {
  const stale: string[] = [];
  for (const path of await entriesOf(folder)) {
    if (names.test(path) && Date.now() - (await stat(path)).mtimeMs > age) stale.push(path);
  }
  return stale;
}
