import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { bareRepositoryExists } from '../git/git-repository.js';
import { pushLockIsFree } from '../git/push-lock.js';
import {
  containerRepositoryKinds,
  entriesOf,
  relativeRepositoryPath,
  repositoriesBelow,
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
  // Emitted while folders are read; the next query then rejects.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const containers = await listContainers(client);
    checkStorages(cli, containers, repair.report);
    const first = await comparePresence(cli, containers);
    // People create, move and delete repositories meanwhile: only what is wrong twice is wrong.
    const second = await comparePresence(cli, await listContainers(client));
    const missing = inBoth(first.missing, second.missing);
    if (missing.length > 0) repair.report('failed', `missing: ${shortened(missing)}`);
    const unknown = inBoth(first.unknown, second.unknown);
    if (unknown.length > 0) repair.report('warning', `without a row: ${shortened(unknown)}`);
    await checkLocks(cli, containers, repair);
  } finally {
    await client.end();
  }
}

function checkStorages(
  { config }: Cli,
  containers: readonly BackedUpContainer[],
  report: Report,
): void {
  const unknown = containers.filter(({ storage }) => config.storages[storage] === undefined);
  for (const name of new Set(unknown.map(({ storage }) => storage))) {
    const owners = unknown.filter(({ storage }) => storage === name);
    const shown = shortened(owners.map(({ kind, id }) => `${kind} ${id}`));
    report('failed', `storage ${name} is not configured: ${shown}`);
  }
}

/** Compares rows with folders, both ways. */
async function comparePresence(
  { config }: Cli,
  containers: readonly BackedUpContainer[],
): Promise<{ missing: string[]; unknown: string[] }> {
  const expected = new Set<string>();
  const missing: string[] = [];
  for (const { kind, id, storage, is_required: isRequired } of containers) {
    const root = config.storages[storage]?.path;
    if (root === undefined) continue;
    for (const repository of containerRepositoryKinds[kind]) {
      const path = join(root, relativeRepositoryPath(repository, id));
      expected.add(path);
      const isMissing = isRequired && repository === kind && !(await bareRepositoryExists(path));
      if (isMissing) missing.push(`${repositoryKey(repository, id)} on ${storage}`);
    }
  }
  const unknown: string[] = [];
  for (const { path: root } of Object.values(config.storages)) {
    const found = await repositoriesBelow(root);
    unknown.push(...found.filter((path) => !expected.has(path)));
  }
  return { missing, unknown };
}

/** Returns the names in both lists, which are long when a storage is not mounted. */
function inBoth(one: readonly string[], other: readonly string[]): string[] {
  const others = new Set(other);
  return one.filter((name) => others.has(name));
}

function shortened(names: readonly string[]): string {
  const rest = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : '';
  return `${names.slice(0, SHOWN).join(', ')}${rest}`;
}

/** Finds what killed processes of git and unfinished copies have left. */
async function checkLocks(
  { config }: Cli,
  containers: readonly BackedUpContainer[],
  { isFixing, report }: Repair,
): Promise<void> {
  const stale: string[] = [];
  for (const { kind, id, storage } of containers) {
    const root = config.storages[storage]?.path;
    if (root === undefined) continue;
    for (const repository of containerRepositoryKinds[kind]) {
      const locks = await staleLocks(join(root, relativeRepositoryPath(repository, id)));
      if (locks.length === 0) continue;
      const lock = { storageRoot: root, repositoryKey: repositoryKey(repository, id) };
      if (await pushLockIsFree(lock, 0)) stale.push(...locks);
    }
  }
  for (const { path } of Object.values(config.storages)) {
    const copies = await entriesOf(join(path, '+svc', 'tmp'));
    const paths = copies.map(({ parentPath, name }) => join(parentPath, name));
    stale.push(...(await olderThan(COPY_AGE_MS, paths)));
  }
  if (stale.length === 0) return;
  if (isFixing) for (const path of stale) await rm(path, { recursive: true, force: true });
  report(isFixing ? 'fixed' : 'warning', `stale locks and copies: ${shortened(stale)}`);
}

/** Locks of the repository itself and of its refs, at any depth. */
async function staleLocks(repository: string): Promise<string[]> {
  const folders = [repository];
  const found: string[] = [];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await entriesOf(folder);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isFile() && entry.name.endsWith('.lock')) found.push(path);
      const isOfRefs = folder !== repository || entry.name === 'refs';
      if (entry.isDirectory() && isOfRefs) folders.push(path);
    }
  }
  return olderThan(HOUR_MS, found);
}

async function olderThan(age: number, paths: readonly string[]): Promise<string[]> {
  const old: string[] = [];
  for (const path of paths) {
    const changedAt = await changeTime(path);
    if (changedAt !== null && Date.now() - changedAt > age) old.push(path);
  }
  return old;
}

/** Returns null for a file that has gone meanwhile. */
async function changeTime(path: string): Promise<number | null> {
  try {
    return (await lstat(path)).mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
