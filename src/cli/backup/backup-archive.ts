import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { CliError } from '../cli.js';
import { BackupCipher, DecryptionError, type KeyFile } from './backup-cipher.js';
import type { BackupStore } from './backup-store.js';
import { chunksOf, type Manifest, type Part } from './manifest.js';

const KEY_FILE = 'key.json';
const MANIFESTS = 'backups/';
const CHUNKS = 'chunks/';
const CHUNK_BYTES = 8 * 1024 * 1024;
const CACHED_CHUNKS = 8;
const ID = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/;

/**
 * Backups in a store: encrypted chunks by the name of their content, which backups share, and an
 * encrypted manifest per backup, written last. What a killed backup has written is used by the next.
 */
export class BackupArchive {
  writtenBytes = 0;
  private readonly cache: LRUCache<string, Buffer>;

  private constructor(
    private readonly store: BackupStore,
    private readonly cipher: BackupCipher,
    /** Chunks that the store has. */
    private readonly known: Set<string>,
  ) {
    this.cache = new LRUCache<string, Buffer>({ max: CACHED_CHUNKS });
  }

  /** Opens an archive, or with `isNew` makes one where none is. Throws CliError. */
  static async open(
    store: BackupStore,
    passphrase: string,
    { isNew }: { isNew: boolean },
  ): Promise<BackupArchive> {
    const file = await store.get(KEY_FILE);
    if (file === null && !isNew) throw new CliError('there are no backups at this location');
    const cipher =
      file === null ? await createKey(store, passphrase) : await openKey(file, passphrase);
    const keys = await store.list(CHUNKS);
    return new BackupArchive(store, cipher, new Set(keys.map((key) => key.slice(-64))));
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

  /** Reads a chunk and compares its content with its name. Throws CliError. */
  async chunk(name: string): Promise<Buffer> {
    const cached = this.cache.get(name);
    if (cached !== undefined) return cached;
    const sealed = await this.store.get(chunkKey(name));
    if (sealed === null) throw new CliError(`chunk ${name} is missing`);
    const content = await this.cipher.decrypt(sealed).catch((error: unknown) => {
      if (error instanceof DecryptionError) throw new CliError(`chunk ${name} is damaged`);
      throw error;
    });
    if (this.cipher.nameOf(content) !== name) throw new CliError(`chunk ${name} is another one`);
    this.cache.set(name, content);
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
    const sealed = ID.test(wanted) ? await this.store.get(MANIFESTS + wanted) : null;
    if (sealed === null) throw new CliError(`there is no backup ${wanted}`);
    try {
      return JSON.parse((await this.cipher.decrypt(sealed)).toString('utf8')) as Manifest;
    } catch (error) {
      if (error instanceof DecryptionError) throw new CliError(`backup ${wanted} is damaged`);
      throw error;
    }
  }

  /** Makes a backup visible: all of its chunks must be written. */
  async save(manifest: Manifest): Promise<void> {
    const text = Buffer.from(JSON.stringify(manifest));
    await this.store.put(MANIFESTS + manifest.id, await this.cipher.encrypt(text));
  }

  /** Deletes all but the newest `keep` backups and the chunks that no backup needs. */
  async prune(keep: number): Promise<{ backups: string[]; chunks: number }> {
    const ids = await this.ids();
    const backups = ids.slice(0, Math.max(0, ids.length - keep));
    const needed = new Set<string>();
    for (const id of ids.slice(backups.length)) {
      for (const chunk of chunksOf(await this.manifest(id))) needed.add(chunk);
    }
    for (const id of backups) await this.store.delete(MANIFESTS + id);
    const unneeded = [...this.known].filter((name) => !needed.has(name));
    for (const name of unneeded) await this.store.delete(chunkKey(name));
    return { backups, chunks: unneeded.length };
  }

  private async putChunk(content: Buffer): Promise<string> {
    const name = this.cipher.nameOf(content);
    if (this.known.has(name)) return name;
    const sealed = await this.cipher.encrypt(content);
    await this.store.put(chunkKey(name), sealed);
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

async function createKey(store: BackupStore, passphrase: string): Promise<BackupCipher> {
  const { cipher, file } = await BackupCipher.create(passphrase);
  await store.put(KEY_FILE, Buffer.from(`${JSON.stringify(file)}\n`));
  return cipher;
}

async function openKey(file: Buffer, passphrase: string): Promise<BackupCipher> {
  try {
    return await BackupCipher.open(passphrase, JSON.parse(file.toString('utf8')) as KeyFile);
  } catch (error) {
    if (error instanceof DecryptionError) throw new CliError('the passphrase is wrong');
    throw error;
  }
}

/** Fills chunks with the contents of one table or repository, so that equal ones make equal chunks. */
export class ChunkWriter {
  private pieces: Buffer[] = [];
  private size = 0;
  /** Parts that learn the name of the current chunk when it is full. */
  private open: Part[] = [];

  constructor(private readonly put: (content: Buffer) => Promise<string>) {}

  /** Appends a content to `parts`, which are complete after `flush`. */
  async append(content: Buffer, parts: Part[]): Promise<void> {
    let rest = content;
    while (rest.length > 0) {
      const taken = rest.subarray(0, CHUNK_BYTES - this.size);
      this.take(taken, parts);
      rest = rest.subarray(taken.length);
      if (this.size === CHUNK_BYTES) await this.flush();
    }
  }

  /** Writes the chunk that is not full yet. */
  async flush(): Promise<void> {
    if (this.size === 0) return;
    const [content, parts] = [Buffer.concat(this.pieces), this.open];
    this.pieces = [];
    this.open = [];
    this.size = 0;
    const name = await this.put(content);
    for (const part of parts) part[0] = name;
  }

  private take(bytes: Buffer, parts: Part[]): void {
    const last = parts.at(-1);
    if (last !== undefined && this.open.at(-1) === last) {
      last[2] += bytes.length;
    } else {
      const part: Part = ['', this.size, bytes.length];
      parts.push(part);
      this.open.push(part);
    }
    this.pieces.push(bytes);
    this.size += bytes.length;
  }
}
