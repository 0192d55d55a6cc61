import { open, readFile } from 'node:fs/promises';
import type { StoragesConfig } from '../../config/services.js';
import {
  containerRepositoryKinds,
  repositoryKey,
  type RepositoryKind,
} from '../../git/repository-path.js';
import { nativePath } from '../../storage-moves/engine/file-io.js';
import {
  inventoryRepository,
  type RepositoryFile,
} from '../../storage-moves/engine/repository-inventory.js';
import {
  formatPackedRefs,
  readReferences,
  type RepositoryReferences,
} from '../../storage-moves/engine/repository-references.js';
import type { Progress } from '../progress.js';
import type { BackupArchive } from './backup-archive.js';
import type { ChunkWriter } from './chunk-writer.js';
import { digestOf, readImmutableFiles, writeFileList } from './file-list.js';
import { locateRepository } from './locate-repository.js';
import type { FileDump, Manifest, RepositoryDump } from './manifest.js';
import type { BackedUpContainer, Queryable } from './sql/database-catalog.js';

const PARALLEL = 4;
const ATTEMPTS = 10;
/** Smaller files are read at once. */
const READ_BYTES = 1024 * 1024;

/** Derived from objects that can be newer than the listing, or only marks for `git gc`. */
const DERIVED = /^objects\/(?:info\/|pack\/multi-pack-index|pack\/.*\.(?:keep|bitmap)$)/;

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
  files: FileDump[];
  /** True if the list of the newest backup can be read. */
  isListReadable: boolean;
}

/** Writes content that the newest backup lacks; null when the repository is nowhere. */
async function copyFiles(source: RepositorySource, wanted: Wanted): Promise<Copied | null> {
  const { previous } = wanted;
  const known =
    previous === undefined ? null : await readImmutableFiles(source.archive, previous.list);
  const files = await findAndDump(source, wanted, known ?? new Map());
  return files === null ? null : { files, isListReadable: known !== null };
}

/** Writes the file list unless it is unchanged. */
async function describe(
  wanted: Wanted,
  { files, isListReadable, lists }: Copied & { lists: ChunkWriter },
): Promise<RepositoryDump> {
  const { previous } = wanted;
  const digest = digestOf(files);
  const isUnchanged = isListReadable && previous?.digest === digest;
  return {
    kind: wanted.repository,
    container_id: wanted.id,
    storage: wanted.storage,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    chunks: [...new Set(files.flatMap(({ parts }) => parts.map(([name]) => name)))],
    list: isUnchanged ? previous.list : await writeFileList(lists, files),
    digest,
  };
}

type KnownFiles = ReadonlyMap<string, FileDump>;

/** Looks again where it is when it disappears: it was moved or deleted meanwhile. */
async function findAndDump(
  source: RepositorySource,
  wanted: Wanted,
  known: KnownFiles,
): Promise<FileDump[] | null> {
  for (let attempt = 1; ; attempt += 1) {
    const path = await locateRepository(source, wanted);
    if (path === null) {
      if (wanted.is_required && wanted.repository === wanted.kind) throw new Error('is missing');
      return null;
    }
    try {
      return await dumpFiles(source, path, known);
    } catch (error) {
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isGone || attempt === ATTEMPTS) throw error;
    }
  }
}

async function dumpFiles(
  { archive, progress }: RepositorySource,
  path: string,
  known: KnownFiles,
): Promise<FileDump[]> {
  const references = await readReferences(path);
  const { files } = await inventoryRepository(path);
  const writer = archive.writer();
  const dumps: FileDump[] = [];
  for (const file of files) {
    if (['ref', 'head'].includes(file.phase) || DERIVED.test(file.path)) continue;
    const before = known.get(file.path);
    if (before?.size === file.size && archive.has(before.parts)) dumps.push(before);
    else dumps.push(await dumpFile(path, file, { writer, progress }));
  }
  for (const [name, text] of referenceFiles(references)) {
    const content = Buffer.from(text, 'latin1');
    const dump: FileDump = { path: name, mode: 0o644, size: content.length, parts: [] };
    await writer.append(content, dump.parts);
    dumps.push(dump);
  }
  await writer.flush();
  return dumps;
}

async function dumpFile(
  root: string,
  { path, mode, size }: RepositoryFile,
  { writer, progress }: { writer: ChunkWriter; progress: Progress },
): Promise<FileDump> {
  const dump: FileDump = { path, mode, size: 0, parts: [] };
  const add = async (content: Buffer): Promise<void> => {
    await writer.append(content, dump.parts);
    progress.addBytes(content.length);
    dump.size += content.length;
  };
  if (size <= READ_BYTES) {
    await add(await readFile(nativePath(root, path)));
    return dump;
  }
  const file = await open(nativePath(root, path));
  try {
    const stream = file.createReadStream({ highWaterMark: READ_BYTES });
    for await (const bytes of stream as AsyncIterable<Buffer>) await add(bytes);
  } finally {
    await file.close();
  }
  return dump;
}

/** HEAD, all refs in one packed-refs file, and a file for each symbolic ref. */
function referenceFiles(references: RepositoryReferences): [path: string, content: string][] {
  const { head, direct, symbolic, traits } = references;
  const links = [...symbolic].map(([name, target]): [string, string] => [name, `ref: ${target}\n`]);
  const packed = formatPackedRefs([...direct.values()], traits);
  return [...links, ['packed-refs', packed], ['HEAD', `${head}\n`]];
}
