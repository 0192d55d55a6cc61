import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { CliError } from '../cli.js';
import { BackupCipher, DecryptionError, isKeyFile, type KeyFile } from './backup-cipher.js';
import type { BackupStore } from './backup-store.js';
import { ChunkWriter } from './chunk-writer.js';
import {
  chunksOf,
  MANIFEST_VERSION,
  type Manifest,
  OtherFormatError,
  type Part,
} from './manifest.js';
import type { StoreLock } from './store-lock.js';

const KEY_FILE = 'key.json';
const MANIFESTS = 'backups/';
const CHUNKS = 'chunks/';
const CACHED_CHUNKS = 8;
const ID = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/;

/**
 * Backups in a store: encrypted chunks by the name of their content, which backups share, and an
 * encrypted manifest per backup, written last. What a killed backup has written is used by the next.
 */
export class BackupArchive {
  writtenBytes = 0;
  private readonly cache: LRUCache<string, Promise<Buffer>>;

  private constructor(
    private readonly store: BackupStore,
    private readonly cipher: BackupCipher,
    /** Chunks that the store has. */
    private readonly known: Set<string>,
    /** null: nothing is written. */
    private readonly lock: StoreLock | null,
  ) {
    this.cache = new LRUCache<string, Promise<Buffer>>({ max: CACHED_CHUNKS });
  }

  /**
   * Opens an archive, to write to it with the lock of its store. With `isNew` makes one where none
   * is. Throws CliError.
   */
  static async open(
    store: BackupStore,
    passphrase: string,
    { lock = null, isNew = false }: { lock?: StoreLock | null; isNew?: boolean } = {},
  ): Promise<BackupArchive> {
    const file = (await store.get(KEY_FILE)) ?? (isNew ? await createKey(store, passphrase) : null);
    if (file === null) throw new CliError('there are no backups at this location');
    const cipher = await openKey(file, passphrase);
    return new BackupArchive(store, cipher, new Set(await listChunks(store)), lock);
  }

  /** Collects contents into chunks. */
  writer(): ChunkWriter {
    return new ChunkWriter((content) => this.putChunk(content));
  }

  has(parts: readonly Part[]): boolean {
    return parts.every(([chunk]) => this.known.has(chunk));
  }

  /** Yields the bytes of the parts in order. Throws CliError when a chunk is missing or damaged. */
  async *read(parts: readonly Part[]): AsyncGenerator<Buffer> {
    for (const [chunk, offset, length] of parts) {
      const content = await this.chunk(chunk);
      if (offset + length > content.length) throw new CliError(`chunk ${chunk} is too short`);
      yield content.subarray(offset, offset + length);
    }
  }

  /** Reads a chunk, once for all who want it at a time. Throws CliError. */
  async chunk(name: string): Promise<Buffer> {
    const cached = this.cache.get(name);
    if (cached !== undefined) return cached;
    const reading = this.readChunk(name);
    this.cache.set(name, reading);
    try {
      return await reading;
    } catch (error) {
      this.cache.delete(name);
      throw error;
    }
  }

  /** Compares the content with the name. Throws CliError. */
  private async readChunk(name: string): Promise<Buffer> {
    const key = chunkKey(name);
    const sealed = await this.store.get(key);
    if (sealed === null) throw new CliError(`chunk ${name} is missing`);
    const content = await this.cipher.decrypt(key, sealed).catch((error: unknown) => {
      if (error instanceof DecryptionError) throw new CliError(`chunk ${name} is damaged`);
      throw error;
    });
    if (this.cipher.nameOf(content) !== name) throw new CliError(`chunk ${name} is another one`);
    return content;
  }

  /** IDs of the backups, oldest first. */
  async ids(): Promise<string[]> {
    const keys = await this.store.list(MANIFESTS);
    return keys
      .map((key) => key.slice(MANIFESTS.length))
      .filter((id) => ID.test(id))
      .sort();
  }

  /** Reads the backup with this ID, or the newest one. Throws CliError. */
  async manifest(id?: string): Promise<Manifest> {
    const wanted = id ?? (await this.ids()).at(-1);
    if (wanted === undefined) throw new CliError('there are no backups at this location');
    const manifest = await this.readable(wanted);
    if (manifest === null) throw new CliError(`backup ${wanted} is damaged`);
    return manifest;
  }

  /** As `manifest`; null when it is damaged. Throws OtherFormatError. */
  async readable(id: string): Promise<Manifest | null> {
    const key = MANIFESTS + id;
    const sealed = ID.test(id) ? await this.store.get(key) : null;
    if (sealed === null) throw new CliError(`there is no backup ${id}`);
    try {
      const text = (await this.cipher.decrypt(key, sealed)).toString('utf8');
      const manifest = JSON.parse(text) as Manifest;
      const version: number = manifest.version;
      if (version === MANIFEST_VERSION) return manifest;
      throw new OtherFormatError(id, version);
    } catch (error) {
      if (error instanceof DecryptionError) return null;
      throw error;
    }
  }

  /** The newest backup that is not damaged. */
  async newestReadable(): Promise<Manifest | null> {
    for (const id of (await this.ids()).reverse()) {
      const manifest = await this.readable(id);
      if (manifest !== null) return manifest;
    }
    return null;
  }

  /** Makes a backup visible. Throws CliError unless the store still has all of its chunks. */
  async save(manifest: Manifest): Promise<void> {
    const present = new Set(await listChunks(this.store));
    const lost = [...chunksOf(manifest)].filter((name) => !present.has(name));
    if (lost.length > 0) {
      throw new CliError(`${lost.length} chunks have disappeared from the location meanwhile`);
    }
    const key = MANIFESTS + manifest.id;
    const text = Buffer.from(JSON.stringify(manifest));
    await this.writable.put(key, await this.cipher.encrypt(key, text));
  }

  /**
   * Deletes all backups that are older than the newest `keep` complete ones, and the chunks that no
   * other needs; no chunks while one of the others is damaged, since it cannot tell which it needs.
   */
  async prune(keep: number): Promise<{ backups: string[]; chunks: number; damaged: string[] }> {
    const [needed, backups, damaged] = [new Set<string>(), [] as string[], [] as string[]];
    let complete = 0;
    for (const id of (await this.ids()).reverse()) {
      const manifest = complete < keep ? await this.readable(id) : undefined;
      if (manifest === undefined) backups.push(id);
      else if (manifest === null) damaged.push(id);
      else {
        if (manifest.failures.length === 0) complete += 1;
        for (const chunk of chunksOf(manifest)) needed.add(chunk);
      }
    }
    for (const id of backups.reverse()) await this.writable.delete(MANIFESTS + id);
    const unneeded = [...this.known].filter((name) => damaged.length === 0 && !needed.has(name));
    await this.deleteChunks(unneeded);
    return { backups, chunks: unneeded.length, damaged };
  }

  /** Deletes chunks; the next backup writes those that it needs. */
  async deleteChunks(names: Iterable<string>): Promise<void> {
    for (const name of names) {
      await this.writable.delete(chunkKey(name));
      this.known.delete(name);
    }
  }

  private get writable(): BackupStore {
    if (this.lock === null) throw new Error('the archive is open for reading');
    this.lock.assertHeld();
    return this.store;
  }

  private async putChunk(content: Buffer): Promise<string> {
    const name = this.cipher.nameOf(content);
    if (this.known.has(name)) return name;
    const key = chunkKey(name);
    const sealed = await this.cipher.encrypt(key, content);
    await this.writable.put(key, sealed);
    this.known.add(name);
    this.writtenBytes += sealed.length;
    return name;
  }
}

/** ID of a backup that begins now; IDs sort by time. */
export function newBackupId(now: Date): string {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  return `${time}-${randomBytes(4).toString('hex')}`;
}

function chunkKey(name: string): string {
  return `${CHUNKS}${name.slice(0, 2)}/${name}`;
}

async function listChunks(store: BackupStore): Promise<string[]> {
  return (await store.list(CHUNKS)).map((key) => key.slice(-64));
}

/** The caller holds the lock. Never replaces a lost key, which would leave all backups unreadable. */
async function createKey(store: BackupStore, passphrase: string): Promise<Buffer> {
  const others = [...(await store.list(MANIFESTS)), ...(await store.list(CHUNKS))];
  if (others.length > 0) {
    throw new CliError('key.json is missing at the location, but backups are there: restore it');
  }
  const file = await BackupCipher.createKey(passphrase);
  await store.put(KEY_FILE, Buffer.from(`${JSON.stringify(file)}\n`));
  return (await store.get(KEY_FILE)) ?? Buffer.of();
}

async function openKey(file: Buffer, passphrase: string): Promise<BackupCipher> {
  try {
    return await BackupCipher.open(passphrase, parseKeyFile(file));
  } catch (error) {
    if (error instanceof DecryptionError) throw new CliError('the passphrase is wrong');
    throw error;
  }
}

function parseKeyFile(file: Buffer): KeyFile {
  let content: unknown;
  try {
    content = JSON.parse(file.toString('utf8'));
  } catch {
    throw new CliError('key.json at the location is damaged');
  }
  if (!isKeyFile(content)) throw new CliError('key.json at the location has another format');
  return content;
}
