import { randomBytes } from 'node:crypto';
import { copyFile, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import type { Config } from '../../config/env.js';
import { dataSourceOptions, MIGRATION_NAMES } from '../../database/database.module.js';
import { pathExists, syncPath } from '../../git/durable-file.js';
import { type Cli, CliError } from '../cli.js';
import { SETUP_LOCK_SQL, withConnection } from '../cli.repository.js';
import { Progress } from '../progress.js';
import type { BackupArchive } from './backup-archive.js';
import { assertStorages, loadRepositories } from './load-repositories.js';
import type { Manifest } from './manifest.js';
import { assertRestorable } from './open-archive.js';
import { setTextFormat } from './sql/database-catalog.js';
import {
  clearDatabase,
  countOtherConnections,
  listObstacles,
  loadRows,
  openTable,
  readOccupancy,
} from './sql/database-restore.js';

interface RestoreOptions {
  /** Deletes what the database has. */
  isReplacing: boolean;
}

/**
 * Restores a backup: first the repositories, then all rows in one transaction, then the key, so that
 * a restore that was interrupted leaves an empty database and can be repeated. Throws CliError before
 * any change when the backup lacks content, or when the instance is in use, has accounts, another
 * program's tables, another key or other storages. Before it replaces, it reads the whole backup.
 */
export async function restoreBackup(
  cli: Cli,
  { archive, manifest }: { archive: BackupArchive; manifest: Manifest },
  { isReplacing }: RestoreOptions,
): Promise<void> {
  const { config } = cli;
  assertKnownMigrations(manifest);
  assertStorages(config.storages, manifest);
  assertSecretKey(cli, manifest);
  const progress = new Progress(cli.io, cli.json);
  try {
    await withConnection(config.databaseUrl, async (client) => {
      await client.query(SETUP_LOCK_SQL);
      await setTextFormat(client);
      await assertUnused(client, isReplacing);
      await assertRestorable(archive, manifest, { isThorough: isReplacing, progress });
      await loadRepositories(config.storages, { archive, manifest, progress });
      await clearDatabase(client);
      await migrate(config, (name) => manifest.database.migrations.includes(name));
      await loadDatabase(client, { archive, manifest, progress });
      await adoptSecretKey(cli, manifest);
      await migrate(config, () => true);
    });
  } finally {
    progress.end();
  }
}

async function assertUnused(client: pg.Client, isReplacing: boolean): Promise<void> {
  const others = await countOtherConnections(client);
  if (others > 0) {
    throw new CliError(`${others} other connections use the database: stop web and worker first`);
  }
  const occupancy = await readOccupancy(client, MIGRATION_NAMES);
  if (occupancy === 'foreign') {
    throw new CliError('the database has tables of another program: create an empty database');
  }
  if (occupancy === 'ours' && !isReplacing) {
    throw new CliError('the database has accounts: use --replace to delete everything in it first');
  }
  const obstacles = await listObstacles(client);
  if (obstacles.length === 0) return;
  throw new CliError(`the role of DATABASE_URL does not own: ${obstacles.join(', ')}`);
}

/** Migrations of before the baseline are part of it. */
function assertKnownMigrations({ database, guildhall_version: version }: Manifest): void {
  const [baseline = ''] = MIGRATION_NAMES;
  const timeOf = (name: string): string => name.slice(-13);
  const unknown = database.migrations.filter(
    (name) => !MIGRATION_NAMES.includes(name) && timeOf(name) > timeOf(baseline),
  );
  if (unknown.length === 0) return;
  throw new CliError(`the backup is of a newer version (${version}, ${unknown.join(', ')})`);
}

async function migrate(
  { databaseUrl }: Config,
  isWanted: (name: string) => boolean,
): Promise<void> {
  const options = dataSourceOptions({ databaseUrl, poolSize: 1, statementTimeoutMs: 0 });
  const all = Object.values(options.migrations ?? []) as (() => void)[];
  const migrations = all.filter(({ name }) => isWanted(name));
  const dataSource = await new DataSource({ ...options, migrations }).initialize();
  try {
    await dataSource.runMigrations();
  } finally {
    await dataSource.destroy();
  }
}

async function loadDatabase(
  client: pg.Client,
  {
    archive,
    manifest,
    progress,
  }: { archive: BackupArchive; manifest: Manifest; progress: Progress },
): Promise<void> {
  progress.begin('Database', manifest.database.tables.length, 'tables');
  await loadRows(client, manifest, async (connection, table) => {
    const rows = openTable(connection, table);
    await pipeline(Readable.from(counted(archive.read(table.parts), progress)), rows);
    if (rows.rowCount !== table.rows) {
      throw new CliError(`${table.name} has ${rows.rowCount} rows instead of ${table.rows}`);
    }
    progress.advance(1);
  });
  progress.end();
}

async function* counted(
  contents: AsyncGenerator<Buffer>,
  progress: Progress,
): AsyncGenerator<Buffer> {
  for await (const content of contents) {
    progress.addBytes(content.length);
    yield content;
  }
}

/** Throws CliError when the environment has another key than the backup. */
function assertSecretKey({ config, io }: Cli, { secrets }: Manifest): void {
  if (config.secretKey === secrets['SECRET_KEY']) return;
  if (!io.env['SECRET_KEY']?.trim() && !io.env['SECRET_KEY_FILE']?.trim()) return;
  throw new CliError(
    'SECRET_KEY is not the one of the backup: `guildhall backup secrets` prints that one',
  );
}

/** Replaces a generated key by the one of the backup; the former stays beside it, with the time. */
async function adoptSecretKey({ config }: Cli, { secrets }: Manifest): Promise<void> {
  const key = secrets['SECRET_KEY'] ?? '';
  if (config.secretKey === key) return;
  const path = join(config.dataDir, 'secret_key');
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  if (await pathExists(path)) await copyFile(path, `${path}.replaced-${time}`);
  const temporary = `${path}.${randomBytes(8).toString('hex')}`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(`${key}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncPath(config.dataDir);
}
