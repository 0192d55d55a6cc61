import { createHash } from 'node:crypto';
import fs from 'node:fs';
import {
  copyFile,
  guarded,
  guardedSync,
  STREAMED_SIZE,
  takeFromAll,
  type StorageLabels,
  type Throttle,
} from './copy-file.js';
import { failpoint } from './failpoints.js';
import {
  eachInSlices,
  forEachLimited,
  makeDirectories,
  nativePath,
  readSmallFile,
  writeNewFile,
} from './file-io.js';
import { objectFormat, stripHostileConfig } from './git-config.js';
import {
  inventoryRepository,
  readHead,
  type RepositoryFile,
  type RepositoryInventory,
} from './repository-inventory.js';
import { type ReferenceStamp, takeReferenceStamp } from './reference-stamp.js';
import {
  formatPackedRefs,
  readReferences,
  type RepositoryReferences,
} from './repository-references.js';

interface CopyOptions {
  signal: AbortSignal;
  /** Receives the running total, often; the caller decides how much of it is recorded. */
  onProgress(bytesCopied: number): void;
  /** Throttles of both storages. */
  throttles?: readonly Throttle[];
  /** Names of the two sides in error messages. */
  storageLabels?: StorageLabels;
  /** Content of the source, if it was listed after the freeze. */
  inventory?: RepositoryInventory;
}

export interface CopiedRepository {
  inventory: RepositoryInventory;
  /** Path in the copy → SHA-256 of the bytes that were read at the source for it. */
  digests: Map<string, string>;
  /** The hash git names objects by, from the repository's configuration. */
  format: 'sha1' | 'sha256';
  /** The references as they were read at the source, and their stamp from before that. */
  read?: { references: RepositoryReferences; stamp: ReferenceStamp };
}

export const DEFAULT_LABELS: StorageLabels = {
  source: 'Source storage',
  destination: 'Destination storage',
};

const BIG_FILES_PARALLEL = 4;

/**
 * Copies a frozen bare repository into a new temporary directory.
 *
 * Objects go first and references last, so that no moment of the copy shows a reference
 * without its objects; a pack appears with its index. References travel as one sorted
 * packed-refs file; hooks and hostile configuration stay behind.
 * Throws MoveError, or the signal's reason; the caller removes the temporary directory.
 */
export async function copyRepository(
  source: string,
  temporary: string,
  options: CopyOptions,
): Promise<CopiedRepository> {
  const storageLabels = options.storageLabels ?? DEFAULT_LABELS;
  await failpoint('copy.before-inventory');
  const inventory =
    options.inventory ?? (await guarded(storageLabels.source, () => inventoryRepository(source)));
  const copied: CopiedRepository = { inventory, digests: new Map(), format: 'sha1' };
  await failpoint('copy.after-inventory');
  const copy = new RepositoryCopy({ source, temporary, options, storageLabels, copied });
  return guarded(storageLabels.destination, () => copy.run());
}

interface CopyContext {
  source: string;
  temporary: string;
  options: CopyOptions;
  storageLabels: StorageLabels;
  copied: CopiedRepository;
}

class RepositoryCopy {
  private bytesCopied = 0;

  constructor(private readonly context: CopyContext) {}

  async run(): Promise<CopiedRepository> {
    this.createDirectories();
    await failpoint('copy.after-directories');
    for (const phase of ['object', 'pack', 'pack-index', 'other'] as const) {
      await this.copyPhase(phase);
      await failpoint(`copy.after-${phase}`);
    }
    await this.copyReferences();
    await failpoint('copy.after-ref');
    await this.copyHead();
    await failpoint('copy.after-head');
    return this.context.copied;
  }

  private createDirectories(): void {
    const { temporary, copied } = this.context;
    const wanted = new Set(['objects/info', 'objects/pack', 'refs/heads', 'refs/tags']);
    for (const { path, phase } of copied.inventory.files) {
      const end = path.lastIndexOf('/');
      if (phase !== 'ref' && end !== -1) wanted.add(path.slice(0, end));
    }
    fs.mkdirSync(temporary);
    makeDirectories(temporary, wanted);
  }

  private async copyPhase(phase: RepositoryFile['phase']): Promise<void> {
    const { options, copied } = this.context;
    const files = copied.inventory.files.filter((file) => file.phase === phase);
    const big = files.filter((file) => file.size > STREAMED_SIZE);
    const small = files.filter((file) => file.size <= STREAMED_SIZE);
    const { signal } = options;
    await forEachLimited(big, { parallel: BIG_FILES_PARALLEL, signal }, (file) =>
      this.copyBigFile(file),
    );
    await eachInSlices(small, (file) => this.copySmallFile(file), {
      signal,
      before: (file) => this.waitFor(file.size),
    });
  }

  private async copyBigFile(file: RepositoryFile): Promise<void> {
    const { source, temporary, storageLabels, copied } = this.context;
    const digest = await copyFile({
      from: nativePath(source, file.path),
      to: nativePath(temporary, file.path),
      mode: file.mode,
      storageLabels,
      chunkBytes: Math.min(
        ...this.throttles().map((each) => each.chunkBytes(STREAMED_SIZE)),
        STREAMED_SIZE,
      ),
      onChunk: async (bytes) => {
        await this.waitFor(bytes);
        this.account(bytes);
      },
    });
    copied.digests.set(file.path, digest);
  }

  private copySmallFile(file: RepositoryFile): void {
    const { source, storageLabels } = this.context;
    const path = nativePath(source, file.path);
    const content = guardedSync(storageLabels.source, () => readSmallFile(path, file.size));
    const travelling = file.path === 'config' ? this.strippedConfig(content) : content;
    this.writeSmallFile(file, travelling);
    this.account(file.size);
  }

  private writeSmallFile(file: Pick<RepositoryFile, 'path' | 'mode'>, content: Buffer): void {
    const { temporary, copied } = this.context;
    writeNewFile(nativePath(temporary, file.path), content, file.mode);
    copied.digests.set(file.path, createHash('sha256').update(content).digest('hex'));
  }

  private async copyReferences(): Promise<void> {
    const { source, storageLabels, copied } = this.context;
    const listed = copied.inventory.files.filter((file) => file.phase === 'ref');
    const bytes = listed.reduce((sum, file) => sum + file.size, 0);
    await this.waitFor(bytes);
    copied.read = await guarded(storageLabels.source, async () => {
      const stamp = takeReferenceStamp(source);
      return { stamp, references: await readReferences(source) };
    });
    for (const { path, content } of referenceFiles(copied.read.references)) {
      makeDirectories(this.context.temporary, [path.slice(0, path.lastIndexOf('/') + 1)]);
      this.writeSmallFile({ path, mode: 0o644 }, content);
    }
    this.account(bytes);
  }

  private async copyHead(): Promise<void> {
    const { source, storageLabels } = this.context;
    const head = guardedSync(storageLabels.source, () => readHead(source));
    await this.waitFor(head.length);
    this.writeSmallFile({ path: 'HEAD', mode: 0o644 }, head);
    this.account(head.length);
  }

  private throttles(): readonly Throttle[] {
    return this.context.options.throttles ?? [];
  }

  private waitFor(bytes: number): Promise<void> | undefined {
    const { signal } = this.context.options;
    signal.throwIfAborted();
    return takeFromAll(this.throttles(), bytes, signal);
  }

  private account(bytes: number): void {
    this.bytesCopied += bytes;
    this.context.options.onProgress(this.bytesCopied);
  }

  private strippedConfig(content: Buffer): Buffer {
    const text = content.toString('latin1');
    this.context.copied.format = objectFormat(text);
    return Buffer.from(stripHostileConfig(text), 'latin1');
  }
}

interface ReferenceFile {
  path: string;
  content: Buffer;
}

/**
 * The files that hold a repository's references in its copy: all direct ones in one
 * packed-refs (50,000 loose files would be 50,000 writes), symbolic ones each in its own
 * file, because packed-refs cannot hold them.
 */
function referenceFiles({ direct, symbolic, traits }: RepositoryReferences): ReferenceFile[] {
  const files: ReferenceFile[] = [];
  if (direct.size > 0) {
    const text = formatPackedRefs([...direct.values()], traits);
    files.push({ path: 'packed-refs', content: Buffer.from(text, 'latin1') });
  }
  for (const [path, target] of symbolic) {
    files.push({ path, content: Buffer.from(`ref: ${target}\n`, 'latin1') });
  }
  return files;
}
