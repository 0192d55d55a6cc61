import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { DataSource } from 'typeorm';
import type { Config } from '../../config/env.js';
import { dataSourceOptions, MIGRATION_NAMES } from '../../database/database.module.js';
import { type Cli, CliError } from '../cli.js';
import { SETUP_LOCK_SQL } from '../cli.repository.js';
import { Progress } from '../progress.js';
import type { BackupArchive } from './backup-archive.js';
import { assertStorages, loadRepositories } from './load-repositories.js';
import type { Manifest } from './manifest.js';
import { setTextFormat } from './sql/database-catalog.js';
import {
  clearDatabase,
  countOtherConnections,
  hasAccounts,
  loadRows,
  openTable,
} from './sql/database-load.js';

interface RestoreOptions {
  /** Deletes what the database has. */
  isReplacing: boolean;
}

/**
 * Restores a backup: first the repositories, then all rows in one transaction, so that a restore that
 * was interrupted leaves an empty database and can be repeated. Throws CliError before any change
 * when the instance is in use, has accounts, another key or other storages.
 */
export async function restoreBackup(
  cli: Cli,
  { archive, manifest }: { archive: BackupArchive; manifest: Manifest },
  { isReplacing }: RestoreOptions,
): Promise<void> {
  const { config } = cli;
  assertKnownMigrations(manifest);
  assertStorages(config.storages, manifest);
  const client = new pg.Client({ connectionString: config.databaseUrl });
  await client.connect();
  const progress = new Progress(cli.io, cli.json);
  try {
    await client.query(SETUP_LOCK_SQL);
    await setTextFormat(client);
    await assertUnused(client, isReplacing);
    adoptSecretKey(cli, manifest);
    await loadRepositories(config.storages, { archive, manifest, progress });
    await clearDatabase(client);
    await migrate(config, (name) => manifest.database.migrations.includes(name));
    await loadDatabase(client, { archive, manifest, progress });
    await migrate(config, () => true);
  } finally {
    progress.end();
    await client.end();
  }
}

async function assertUnused(client: pg.Client, isReplacing: boolean): Promise<void> {
  const others = await countOtherConnections(client);
  if (others > 0) {
    throw new CliError(`${others} other connections use the database: stop web and worker first`);
  }
  if (isReplacing || !(await hasAccounts(client))) return;
  throw new CliError('the database has accounts: use --replace to delete everything in it first');
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

/** A key of the environment must be the backup's; one that was generated is replaced by it. */
function adoptSecretKey({ config, io }: Cli, { secrets }: Manifest): void {
  const key = secrets['SECRET_KEY'] ?? '';
  if (config.secretKey === key) return;
  if (io.env['SECRET_KEY']?.trim() || io.env['SECRET_KEY_FILE']?.trim()) {
    throw new CliError(
      'SECRET_KEY is not the one of the backup: `guildhall backup secrets` prints that one',
    );
  }
  writeFileSync(join(config.dataDir, 'secret_key'), `${key}\n`, { mode: 0o600 });
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
