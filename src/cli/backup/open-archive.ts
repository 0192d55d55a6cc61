import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { type Cli, CliError } from '../cli.js';
import { withConnection } from '../cli.repository.js';
import type { Progress } from '../progress.js';
import { BackupArchive } from './backup-archive.js';
import { type BackupStore, openBackupStore } from './backup-store.js';
import { chunksOf, type Manifest } from './manifest.js';
import { takeBackupLock } from './sql/database-catalog.js';
import { StoreLock } from './store-lock.js';

const MIN_PASSPHRASE_LENGTH = 12;

/** Options of every command on backups. */
export interface StoreOptions {
  store?: string;
  passphraseFile?: string;
}

/** An archive to write to, and the connection that has the lock of backups. */
export interface WritableArchive {
  archive: BackupArchive;
  client: pg.Client;
}

/** Opens an archive for reading. Throws CliError. */
export async function openArchive(cli: Cli, options: StoreOptions): Promise<BackupArchive> {
  const { store, passphrase } = await openStore(cli, { ...options, isNew: false });
  return BackupArchive.open(store, passphrase);
}

/**
 * Opens an archive after the locks of database and store: it can trust what it reads about the store
 * until `work` ends. With `isNew` makes one where none is. Throws CliError when another command
 * has a lock.
 */
export async function withWritableArchive<T>(
  cli: Cli,
  { isNew = false, ...options }: StoreOptions & { isNew?: boolean },
  work: (opened: WritableArchive) => Promise<T>,
): Promise<T> {
  const { store, passphrase } = await openStore(cli, { ...options, isNew });
  return withConnection(cli.config.databaseUrl, async (client) => {
    const owner = await takeBackupLock(client);
    if (owner === null) throw new CliError('another backup is running');
    const lock = await StoreLock.take(store, owner);
    try {
      const archive = await BackupArchive.open(store, passphrase, { lock, isNew });
      return await work({ archive, client });
    } finally {
      await lock.release();
    }
  });
}

async function openStore(
  { io }: Cli,
  { store: chosen, passphraseFile, isNew }: StoreOptions & { isNew: boolean },
): Promise<{ store: BackupStore; passphrase: string }> {
  const location = chosen ?? io.env['GUILDHALL_BACKUP_STORE'];
  if (!location) throw new CliError('--store or GUILDHALL_BACKUP_STORE is required');
  const passphrase =
    passphraseFile === undefined
      ? (io.env['GUILDHALL_BACKUP_PASSPHRASE'] ?? '')
      : await readPassphrase(passphraseFile);
  if (passphrase === '') {
    throw new CliError('--passphrase-file or GUILDHALL_BACKUP_PASSPHRASE is required');
  }
  if (passphrase.length < MIN_PASSPHRASE_LENGTH) {
    throw new CliError(`the passphrase must have at least ${MIN_PASSPHRASE_LENGTH} characters`);
  }
  return { store: await openBackupStore(location, { env: io.env, isNew }), passphrase };
}

/** Throws CliError for a folder, which Node's error does not name. */
async function readPassphrase(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EISDIR') throw error;
    throw new CliError(`cannot read ${path}: it is a folder`);
  }
}

/**
 * Reads and authenticates all chunks of a backup, and returns the missing and damaged ones with the
 * reason. A chunk that cannot be read is read twice, since the connection can be at fault.
 */
export async function findDamage(
  archive: BackupArchive,
  manifest: Manifest,
  progress: Progress,
): Promise<Map<string, string>> {
  const chunks = chunksOf(manifest);
  const damage = new Map<string, string>();
  progress.begin('Chunks', chunks.size, 'chunks');
  for (const name of chunks) {
    try {
      const content = await archive.chunk(name).catch(() => archive.chunk(name));
      progress.addBytes(content.length);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      damage.set(name, error.message);
    }
    progress.advance(1);
  }
  progress.end();
  return damage;
}

/** Throws CliError when chunks of the backup are not there; with `isThorough` also when any is damaged. */
export async function assertRestorable(
  archive: BackupArchive,
  manifest: Manifest,
  { isThorough, progress }: { isThorough: boolean; progress: Progress },
): Promise<void> {
  const absent = [...chunksOf(manifest)].filter((name) => !archive.has([[name, 0, 0]]));
  const problems =
    absent.length > 0 || !isThorough
      ? absent.map((name) => `chunk ${name} is missing`)
      : [...(await findDamage(archive, manifest, progress)).values()];
  if (problems.length === 0) return;
  throw new CliError(`backup ${manifest.id} cannot be restored:\n${problems.join('\n')}`);
}
