import pg from 'pg';
import { packageVersion } from '../../core/version/package-version.js';
import type { Cli } from '../cli.js';
import { Progress } from '../progress.js';
import { type BackupArchive, newBackupId } from './backup-archive.js';
import { dumpDatabase } from './dump-database.js';
import { dumpRepositories } from './dump-repositories.js';
import { MANIFEST_VERSION, type Manifest } from './manifest.js';
import type { WritableArchive } from './open-archive.js';
import { type BackedUpContainer, listLateWrites, setTextFormat } from './sql/database-catalog.js';

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
