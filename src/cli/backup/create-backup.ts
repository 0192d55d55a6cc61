import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { packageVersion } from '../../core/version/package-version.js';
import { APPLIED_MIGRATIONS_SQL } from '../../database/sql/schema-state.js';
import type { Cli } from '../cli.js';
import { Progress } from '../progress.js';
import { type BackupArchive, newBackupId } from './backup-archive.js';
import { dumpRepositories } from './dump-repositories.js';
import { MANIFEST_VERSION, type DatabaseDump, type Manifest, type TableDump } from './manifest.js';
import type { WritableArchive } from './open-archive.js';
import {
  beginSnapshot,
  findLastUpdate,
  listContainers,
  listLateWrites,
  listPartitions,
  listSequences,
  listTables,
  setTextFormat,
  type BackedUpContainer,
  type CatalogTable,
} from './sql/database-catalog.js';

/**
 * Writes a backup while the service runs: first all rows of one snapshot, then the repositories,
 * then the writes that moved refs in between. The connection has the lock of backups.
 */
export async function createBackup(
  cli: Cli,
  { archive, client }: WritableArchive,
): Promise<Manifest> {
  const previous = await archive.newestReadable();
  const progress = new Progress(cli.io, cli.json);
  try {
    await setTextFormat(client);
    return await writeBackup(cli, { client, archive, previous, progress });
  } finally {
    progress.end();
  }
}

interface BackupRun {
  client: pg.Client;
  archive: BackupArchive;
  previous: Manifest | null;
  progress: Progress;
}

async function writeBackup(cli: Cli, run: BackupRun): Promise<Manifest> {
  const { client, archive, progress } = run;
  const { at, dump, containers, lastUpdate } = await dumpDatabase(client, archive, progress);
  const { repositories, failures } = await copyRepositories(cli, run, containers);
  const manifest: Manifest = {
    version: MANIFEST_VERSION,
    id: newBackupId(at),
    snapshot_at: at.toISOString(),
    finished_at: new Date().toISOString(),
    guildhall_version: packageVersion(),
    database: dump,
    repositories,
    late_writes: await listLateWrites(client, lastUpdate),
    secrets: secretsOf(cli),
    failures,
    statistics: {
      rows: dump.tables.reduce((sum, { rows }) => sum + rows, 0),
      bytes: totalBytes({ database: dump, repositories }),
      written_bytes: archive.writtenBytes,
    },
  };
  await archive.save(manifest);
  return manifest;
}

/** Repositories are looked up one by one while others are copied. */
async function copyRepositories(
  { config }: Cli,
  { archive, previous, progress }: BackupRun,
  containers: readonly BackedUpContainer[],
): ReturnType<typeof dumpRepositories> {
  const database = new pg.Pool({ connectionString: config.databaseUrl, max: 2 });
  // A connection that is lost while it is idle is replaced by the next query.
  database.on('error', () => undefined);
  try {
    const source = { archive, previous, progress, database, storages: config.storages };
    return await dumpRepositories(source, containers);
  } finally {
    await database.end();
  }
}

function totalBytes({
  database,
  repositories,
}: Pick<Manifest, 'database' | 'repositories'>): number {
  const rows = database.tables.flatMap(({ parts }) => parts.map(([, , length]) => length));
  const sizes = [...rows, ...repositories.map(({ bytes }) => bytes)];
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The secrets of the configuration that no database has. */
function secretsOf({ config }: Cli): Record<string, string> {
  const { secretKey, metricsToken, smtpUrl, dkim, auditStream } = config;
  return {
    SECRET_KEY: secretKey,
    ...(metricsToken !== undefined && { METRICS_TOKEN: metricsToken }),
    ...(smtpUrl !== undefined && { SMTP_URL: smtpUrl }),
    ...(auditStream !== undefined && { AUDIT_STREAM_URL: auditStream.url }),
    ...(auditStream?.token !== undefined && { AUDIT_STREAM_TOKEN: auditStream.token }),
    ...(dkim !== undefined && {
      DKIM_DOMAIN: dkim.domain,
      DKIM_SELECTOR: dkim.selector,
      DKIM_PRIVATE_KEY: dkim.privateKey.replaceAll('\n', '\\n'),
    }),
  };
}

const UNDEFINED_TABLE = '42P01';
const ATTEMPTS = 3;

/** A consistent point of the database, and what the repositories are read by. */
interface DatabaseSnapshot {
  at: Date;
  dump: DatabaseDump;
  containers: BackedUpContainer[];
  lastUpdate: number;
}

/** Copies every row of one snapshot. The connection has `setTextFormat`. */
async function dumpDatabase(
  client: pg.Client,
  archive: BackupArchive,
  progress: Progress,
): Promise<DatabaseSnapshot> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const at = await beginSnapshot(client);
      return { at, ...(await dumpSnapshot(client, archive, progress)) };
    } catch (error) {
      // A partition can be dropped between the snapshot and the locks.
      const isDropped = (error as { code?: unknown }).code === UNDEFINED_TABLE;
      if (!isDropped || attempt === ATTEMPTS) throw error;
    } finally {
      await client.query('ROLLBACK');
    }
  }
}

async function dumpSnapshot(
  client: pg.Client,
  archive: BackupArchive,
  progress: Progress,
): Promise<Omit<DatabaseSnapshot, 'at'>> {
  const lastUpdate = await findLastUpdate(client);
  const containers = await listContainers(client);
  const migrations = await client.query<{ name: string }>(APPLIED_MIGRATIONS_SQL);
  const partitions = await listPartitions(client);
  const tables: TableDump[] = [];
  const catalog = await listTables(client);
  progress.begin('Database', catalog.length, 'tables');
  for (const table of catalog) {
    tables.push(await dumpTable(client, archive, { table, progress }));
    progress.advance(1);
  }
  const sequences = await listSequences(client);
  progress.end();
  const names = migrations.rows.map(({ name }) => name);
  return { dump: { migrations: names, tables, partitions, sequences }, containers, lastUpdate };
}

async function dumpTable(
  client: pg.Client,
  archive: BackupArchive,
  { table, progress }: { table: CatalogTable; progress: Progress },
): Promise<TableDump> {
  const { name, columns } = table;
  const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  const statement = `COPY ${client.escapeIdentifier(name)} (${list}) TO STDOUT`;
  const dump: TableDump = { name, columns, rows: 0, parts: [] };
  const writer = archive.writer();
  const stream = client.query(copyTo(statement));
  for await (const bytes of stream as AsyncIterable<Buffer>) {
    await writer.append(bytes, dump.parts);
    progress.addBytes(bytes.length);
  }
  await writer.flush();
  return { ...dump, rows: stream.rowCount };
}
