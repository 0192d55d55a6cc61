import { randomUUID } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { CONFIG } from '../config/config.module.js';
import type { Config } from '../config/env.js';
import { STORAGE_METADATA_FILE } from '../config/services.js';
import { ApiError, StorageUnavailableError } from '../core/errors.js';
import { InstanceSettings } from '../core/settings/instance-settings.service.js';
import { ContainersRepository } from './containers.repository.js';
import { makeDirectory, pathExists } from './durable-file.js';
import { relativeRepositoryPath, type RepositoryKind } from './repository-path.js';

const SERVICE_DIRECTORIES = ['+svc/tmp', '+svc/trash', '+svc/locks'];

interface StorageLocation {
  name: string;
  root: string;
  /** Share of new repositories, 0 to 100. */
  weight: number;
}

/** Which repository a path is wanted for. */
export interface RepositoryAddress {
  storage: string;
  kind: RepositoryKind;
  containerId: number;
}

/** A storage name that is not configured. */
export class UnknownStorageError extends Error {
  constructor(name: string) {
    super(`Storage ${name} is not configured`);
  }
}

/** The configured storages: folders that hold repositories, each with room for moves and trash. */
@Injectable()
export class StorageRegistry {
  private readonly storages: ReadonlyMap<string, StorageLocation>;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly settings: InstanceSettings,
  ) {
    this.storages = new Map(
      Object.entries(config.storages).map(([name, { path, weight }]) => {
        return [name, { name, root: path, weight }];
      }),
    );
  }

  names(): string[] {
    return [...this.storages.keys()];
  }

  has(name: string): boolean {
    return this.storages.has(name);
  }

  /** Throws UnknownStorageError. */
  get(name: string): StorageLocation {
    const storage = this.storages.get(name);
    if (storage === undefined) throw new UnknownStorageError(name);
    return { ...storage, weight: this.weightOf(storage) };
  }

  /**
   * Draws a storage, each as likely as its weight; never one of `excluded`. null when no storage
   * that may be drawn has any weight.
   */
  pick(excluded: readonly string[] = [], random: () => number = Math.random): string | null {
    const candidates = this.names()
      .filter((name) => !excluded.includes(name))
      .map((name) => this.get(name));
    const total = candidates.reduce((sum, { weight }) => sum + weight, 0);
    let rest = random() * total;
    for (const { name, weight } of candidates) {
      if (weight > 0 && rest < weight) return name;
      rest -= weight;
    }
    return null;
  }

  /**
   * Weights that an administrator set hold for all storages together: one they leave out takes no
   * new repositories. Without any the configuration's hold.
   */
  private weightOf({ name, weight }: StorageLocation): number {
    const weights = this.settings.values.repository_storages_weighted;
    if (Object.keys(weights).length === 0) return weight;
    return Object.hasOwn(weights, name) ? (weights[name] ?? 0) : 0;
  }

  /** Throws UnknownStorageError. The repository need not exist. */
  absolutePath({ storage, kind, containerId }: RepositoryAddress): string {
    return join(this.get(storage).root, relativeRepositoryPath(kind, containerId));
  }

  /**
   * Prepares every storage at start-up. Throws when one is unusable: not writable, or its folder
   * for copies is on another device, so that a copy could not be renamed into place; or missing: an
   * unused folder although `isInUse` is true for the storage.
   */
  async prepare(isInUse: (name: string) => Promise<boolean>): Promise<void> {
    await Promise.all(
      [...this.storages.values()].map(async (storage) => {
        await assertPresent(storage, isInUse);
        await prepareStorage(storage);
      }),
    );
  }

  /**
   * Id written into the storage when it was first used: two names with the same id are the same
   * folder. Throws when the file cannot be read, as when the storage is not mounted.
   */
  async filesystemId(name: string): Promise<string> {
    const text = await readFile(join(this.get(name).root, STORAGE_METADATA_FILE), 'utf8');
    const metadata = JSON.parse(text) as { filesystem_id?: unknown };
    if (typeof metadata.filesystem_id !== 'string') {
      throw new Error(`Storage ${name} has an unusable ${STORAGE_METADATA_FILE}`);
    }
    return metadata.filesystem_id;
  }

  /**
   * Returns true if two names lead to one folder on one disk, for example by a symbolic link.
   * Storage IDs do not prove it, as they can be copied.
   */
  async isSameFilesystemPath(one: string, other: string): Promise<boolean> {
    const paths = [one, other].map((name) => join(this.get(name).root, STORAGE_METADATA_FILE));
    const [first, second] = await Promise.all(paths.map((path) => stat(path)));
    return first?.dev === second?.dev && first?.ino === second?.ino;
  }
}

/** An empty mount point must not become a storage: every repository would look removed. */
async function assertPresent(
  { name, root }: StorageLocation,
  isInUse: (name: string) => Promise<boolean>,
): Promise<void> {
  const metadata = join(root, STORAGE_METADATA_FILE);
  if ((await pathExists(metadata)) || !(await isInUse(name))) return;
  throw new Error(
    `Storage ${name} is not there: the database knows repositories on it, but ${metadata} is missing. ` +
      `Is ${root} mounted?`,
  );
}

/** Makes the folders and the metadata of a storage that lacks them. */
export async function prepareStorage({ name, root }: StorageLocation): Promise<void> {
  for (const directory of SERVICE_DIRECTORIES) {
    await makeDirectory(join(root, directory));
  }
  const { dev } = await stat(root);
  for (const directory of SERVICE_DIRECTORIES) {
    const inner = await stat(join(root, directory));
    if (inner.dev !== dev) {
      throw new Error(`Storage ${name}: ${directory} must be on the same device as ${root}`);
    }
  }
  await writeMetadataOnce(root);
}

async function writeMetadataOnce(root: string): Promise<void> {
  try {
    const file = await open(join(root, STORAGE_METADATA_FILE), 'wx', 0o644);
    try {
      await file.writeFile(`${JSON.stringify({ filesystem_id: randomUUID() })}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Readies the storages when a process starts; see StorageRegistry.prepare for what it refuses. */
@Injectable()
export class StoragePreparation implements OnModuleInit {
  constructor(
    private readonly containers: ContainersRepository,
    private readonly storages: StorageRegistry,
  ) {}

  async onModuleInit(): Promise<void> {
    await this.storages.prepare((name) => this.containers.isStorageInUse(name));
  }
}

/** Filesystem errors: code, message as printed by git, and our wording. */
const FAILURES = [
  ['EROFS', 'Read-only file system', 'is read-only'],
  ['ENOSPC', 'No space left on device', 'is full'],
  ['EDQUOT', 'Disk quota exceeded', 'has reached its quota'],
  ['EACCES', 'Permission denied', 'denies access'],
  ['EIO', 'Input/output error', 'reports an input/output error'],
  ['ESTALE', 'Stale file handle', 'is not available'],
  ['ENOTCONN', 'Transport endpoint is not connected', 'is not available'],
  ['ENODEV', 'No such device', 'is not available'],
] as const;

/** Tests whether git's error output indicates a storage failure; lock conflicts do not. */
export function isStorageFailureText(stderr: string): boolean {
  return FAILURES.some(([, text]) => stderr.includes(text));
}

/**
 * Wraps an error caused by a storage as StorageUnavailableError and returns any other unchanged.
 */
function asStorageError(error: unknown, storage: string): unknown {
  if (!(error instanceof Error) || error instanceof ApiError) return error;
  const { code } = error as NodeJS.ErrnoException;
  const found = FAILURES.find(([known, text]) => code === known || error.message.includes(text));
  if (found === undefined) return error;
  return new StorageUnavailableError(`Storage ${storage} ${found[2]}.`, error);
}

/** Runs work on a storage and rethrows its filesystem errors as StorageUnavailableError. */
export async function onStorage<T>(storage: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asStorageError(error, storage);
  }
}
