import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { nativePath } from '../../storage-moves/engine/file-io.js';
import {
  inventoryByParts,
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
import { type ImmutableFiles, writeFileList } from './file-list.js';
import type { FileDump, Part } from './manifest.js';

/** Files that are kept in memory; a repository with more has chunks of its own for its list. */
const MAX_KEPT = 20_000;
/** Smaller files are read at once. */
const READ_BYTES = 1024 * 1024;

/** Derived from objects that can be newer than the listing, or only marks for `git gc`. */
const DERIVED = /^objects\/(?:info\/|pack\/multi-pack-index|pack\/.*\.(?:keep|bitmap)$)/;

interface Target {
  archive: BackupArchive;
  progress: Progress;
}

/** Writes the content of a repository that the newest backup lacks. Throws ENOENT when it goes away. */
export async function dumpFiles(
  target: Target,
  path: string,
  previous: ImmutableFiles | null,
): Promise<DumpedFiles> {
  const { archive, progress } = target;
  const references = await readReferences(path);
  const files = new DumpedFiles(archive);
  for await (const part of inventoryByParts(path)) {
    const known = await previous?.of(part.folder);
    for (const file of part.files) {
      if (['ref', 'head'].includes(file.phase) || DERIVED.test(file.path)) continue;
      const before = known?.get(file.path);
      if (before?.size === file.size && archive.has(before.parts)) await files.add(before);
      else await files.add(await dumpFile(path, file, { writer: files.writer, progress }));
    }
  }
  for (const [name, text] of referenceFiles(references)) {
    const content = Buffer.from(text, 'latin1');
    const dump: FileDump = { path: name, mode: 0o644, size: content.length, parts: [] };
    await files.writer.append(content, dump.parts);
    await files.add(dump);
  }
  await previous?.finish();
  await files.end();
  return files;
}

/** The files of one repository, of which only the latest are in memory. */
export class DumpedFiles {
  /** Bytes of all files. */
  bytes = 0;
  readonly chunks = new Set<string>();
  readonly writer: ChunkWriter;
  private readonly hash = createHash('sha256');
  private kept: FileDump[] = [];
  /** The list of a repository with many files. */
  private own: { writer: ChunkWriter; parts: Part[] } | null = null;

  constructor(private readonly archive: BackupArchive) {
    this.writer = archive.writer();
  }

  async add(file: FileDump): Promise<void> {
    this.kept.push(file);
    if (this.kept.length < MAX_KEPT) return;
    this.own ??= { writer: this.archive.writer(), parts: [] };
    await this.writeKept(this.own);
  }

  /** After the last file. */
  async end(): Promise<void> {
    if (this.own === null) return this.count();
    await this.writeKept(this.own);
    await this.own.writer.flush();
  }

  /** SHA-256 of the list. */
  digest(): string {
    return this.hash.copy().digest('hex');
  }

  /** Returns the parts of the list; of a short one they are complete after `lists` is flushed. */
  async list(lists: ChunkWriter): Promise<Part[]> {
    return this.own?.parts ?? (await writeFileList(lists, this.kept));
  }

  private async writeKept({
    writer,
    parts,
  }: {
    writer: ChunkWriter;
    parts: Part[];
  }): Promise<void> {
    await this.count();
    await writeFileList(writer, this.kept, parts);
    this.kept = [];
  }

  /** The parts of files are complete only when their last chunk is written. */
  private async count(): Promise<void> {
    await this.writer.flush();
    for (const file of this.kept) {
      this.bytes += file.size;
      for (const [chunk] of file.parts) this.chunks.add(chunk);
      this.hash.update(`${JSON.stringify(file)}\n`);
    }
  }
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
