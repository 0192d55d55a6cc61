import { join } from 'node:path';
import { STORAGE_METADATA_FILE, type StoragesConfig } from '../../config/services.js';
import { bareRepositoryExists } from '../../git/git-repository.js';
import { pathExists } from '../../git/durable-file.js';
import {
  containerRepositoryKinds,
  relativeRepositoryPath,
  repositoryKey,
  type RepositoryKind,
} from '../../git/repository-path.js';
import type { Progress } from '../progress.js';
import type { BackupArchive } from './backup-archive.js';
import type { ChunkWriter } from './chunk-writer.js';
import { type DumpedFiles, dumpFiles } from './dump-files.js';
import { ImmutableFiles } from './file-list.js';
import type { Manifest, RepositoryDump } from './manifest.js';
import {
  findInTrash,
  findStorage,
  type BackedUpContainer,
  type Queryable,
} from './sql/database-catalog.js';

const PARALLEL = 4;
const ATTEMPTS = 10;

interface RepositorySource {
  /** Answers where a repository is now. */
  database: Queryable;
  archive: BackupArchive;
  storages: StoragesConfig;
  /** The newest backup, whose files are not read again. */
  previous: Manifest | null;
  progress: Progress;
}

type Wanted = BackedUpContainer & {
  repository: RepositoryKind;
  /** In the newest backup. */
  previous: RepositoryDump | undefined;
};

type Failures = Manifest['failures'];

/**
 * Copies the repositories of containers of the snapshot. Their refs are read after it, so each one
 * that a row relies on is there, and before the objects are listed, so that no ref lacks its objects:
 * objects are never deleted while the service runs.
 */
export async function dumpRepositories(
  source: RepositorySource,
  containers: readonly BackedUpContainer[],
): Promise<{ repositories: RepositoryDump[]; failures: Failures }> {
  const known = new Map(
    source.previous?.repositories.map((one) => [repositoryKey(one.kind, one.container_id), one]),
  );
  const wanted: Wanted[] = containers.flatMap((container) =>
    containerRepositoryKinds[container.kind].map((repository) => ({
      ...container,
      repository,
      previous: known.get(repositoryKey(repository, container.id)),
    })),
  );
  // Lists share chunks: those of one chunk follow each other, so that it is read once.
  const chunkOf = ({ previous }: Wanted): string => previous?.list[0]?.[0] ?? '';
  wanted.sort((a, b) => chunkOf(a).localeCompare(chunkOf(b)));
  const lists = source.archive.writer();
  const repositories: RepositoryDump[] = [];
  const failures: Failures = [];
  const queue = untilFailure(wanted);
  source.progress.begin('Repositories', wanted.length, 'repositories');
  const work = async (): Promise<void> => {
    for (const one of queue) {
      const copied = await copyFiles(source, one).catch((error: unknown) => {
        const name = repositoryKey(one.repository, one.id);
        failures.push({ repository: name, reason: (error as Error).message });
        return null;
      });
      // Not caught: lists share chunks, so one that is not written spoils others.
      if (copied !== null) repositories.push(await describe(one, { ...copied, lists }));
      source.progress.advance(1);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  await lists.flush();
  source.progress.end();
  repositories.sort((a, b) => a.kind.localeCompare(b.kind) || a.container_id - b.container_id);
  return { repositories, failures };
}

/** Yields items to several readers, and no more to any when one of them fails. */
function* untilFailure<T>(items: readonly T[]): Generator<T> {
  yield* items;
}

interface Copied {
  files: DumpedFiles;
  /** True if the list of the newest backup can be read. */
  isListReadable: boolean;
}

/** Writes a short file list unless it is unchanged; a long one has been written already. */
async function describe(
  wanted: Wanted,
  { files, isListReadable, lists }: Copied & { lists: ChunkWriter },
): Promise<RepositoryDump> {
  const { previous } = wanted;
  const digest = files.digest();
  const isUnchanged = isListReadable && previous?.digest === digest;
  return {
    kind: wanted.repository,
    container_id: wanted.id,
    storage: wanted.storage,
    bytes: files.bytes,
    chunks: [...files.chunks],
    list: isUnchanged ? previous.list : await files.list(lists),
    digest,
  };
}

/**
 * Writes content that the newest backup lacks; null when the repository is nowhere. Looks again where
 * it is when it disappears: it was moved or deleted meanwhile.
 */
async function copyFiles(source: RepositorySource, wanted: Wanted): Promise<Copied | null> {
  const { archive } = source;
  for (let attempt = 1; ; attempt += 1) {
    const path = await locateRepository(source, wanted);
    if (path === null) {
      if (wanted.is_required && wanted.repository === wanted.kind) throw new Error('is missing');
      return null;
    }
    const { previous } = wanted;
    const known = previous === undefined ? null : new ImmutableFiles(archive, previous.list);
    try {
      const files = await dumpFiles(source, path, known);
      return { files, isListReadable: known?.isReadable ?? false };
    } catch (error) {
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isGone || attempt === ATTEMPTS) throw error;
    }
  }
}

/**
 * Returns null when it is nowhere; throws when a storage where it can be is not there. A move
 * switches the row first, a deletion deletes it first.
 */
async function locateRepository(
  { database, storages }: { database: Queryable; storages: StoragesConfig },
  {
    kind,
    id,
    repository,
    storage: storageThen,
  }: BackedUpContainer & { repository: RepositoryKind },
): Promise<string | null> {
  const relative = relativeRepositoryPath(repository, id);
  let storage = await findStorage(database, { kind, id });
  while (storage !== null) {
    const path = await findOn(storages, storage, relative);
    if (path !== null) return path;
    const now = await findStorage(database, { kind, id });
    if (now === storage) return null;
    storage = now;
  }
  const left = await findOn(storages, storageThen, relative);
  if (left !== null) return left;
  const trash = await findInTrash(database, repositoryKey(repository, id));
  return trash === null ? null : findOn(storages, trash.storage, trash.path);
}

/** Returns null when the storage has no such repository. */
async function findOn(
  storages: StoragesConfig,
  name: string,
  relative: string,
): Promise<string | null> {
  const root = rootOf(storages, name);
  const path = join(root, relative);
  if (await bareRepositoryExists(path)) return path;
  // A storage that is not mounted looks like one without repositories.
  if (await pathExists(join(root, STORAGE_METADATA_FILE))) return null;
  throw new Error(`storage ${name} is not available`);
}

function rootOf(storages: StoragesConfig, name: string): string {
  const storage = storages[name];
  if (storage === undefined) throw new Error(`storage ${name} is not configured`);
  return storage.path;
}
