import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, type Command } from 'commander';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { AuditLog } from '../../core/audit/audit.service.js';
import { Cli, CliError, type RegisterCommand } from '../cli.js';
import { formatBytes, Progress } from '../progress.js';
import { BackupArchive } from './backup-archive.js';
import { openBackupStore } from './backup-store.js';
import { createBackup } from './create-backup.js';
import { chunksOf, type Manifest } from './manifest.js';
import { restoreBackup } from './restore-backup.js';
import { BACKUP_LOCK_SQL } from './sql/database-catalog.js';

const MIN_PASSPHRASE_LENGTH = 12;
const MAX_KEPT = 10_000;

const EXAMPLES = `
The location is a folder or s3://bucket/prefix (--store or GUILDHALL_BACKUP_STORE). S3-compatible
services use AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL.
The passphrase is read from --passphrase-file or GUILDHALL_BACKUP_PASSPHRASE. Without it no backup
can be read: keep a copy in another place.

Examples:
  $ guildhall backup create --store /mnt/backups --passphrase-file /run/secrets/backup
  $ guildhall backup verify --store s3://backups/guildhall
  $ guildhall backup restore --store /mnt/backups --passphrase-file /run/secrets/backup`;

interface StoreOptions {
  store?: string;
  passphraseFile?: string;
}

/** `guildhall backup create|list|verify|restore|secrets|prune` */
export const registerBackup: RegisterCommand = (program, cli) => {
  const backup = program
    .command('backup')
    .description('back up and restore database, repositories and secrets')
    .addHelpText('after', EXAMPLES);
  withStore(backup.command('create'))
    .description('back up the running instance; only changes since earlier backups are written')
    .action((options: StoreOptions) => create(cli, options));
  withStore(backup.command('list'))
    .description('show the backups at a location')
    .action((options: StoreOptions) => list(cli, options));
  withStore(backup.command('verify'))
    .description('read and authenticate everything that a backup needs')
    .argument('[id]', 'backup (default: the newest)')
    .action((id: string | undefined, options: StoreOptions) => verify(cli, id, options));
  withStore(backup.command('restore'))
    .description('restore a backup into an empty instance, while web and worker are stopped')
    .argument('[id]', 'backup (default: the newest)')
    .option('--replace', 'delete everything in the database first')
    .action((id: string | undefined, options: StoreOptions & { replace?: boolean }) =>
      restore(cli, id, options),
    );
  withStore(backup.command('secrets'))
    .description('print the secrets of the configuration that a backup contains')
    .argument('[id]', 'backup (default: the newest)')
    .action((id: string | undefined, options: StoreOptions) => printSecrets(cli, id, options));
  withStore(backup.command('prune'))
    .description('delete all but the newest backups')
    .requiredOption('--keep <count>', 'number of backups to keep', parseKept)
    .action((options: StoreOptions & { keep: number }) => prune(cli, options));
};

function withStore(command: Command): Command {
  return command
    .option('--store <location>', 'folder or s3://bucket/prefix (or GUILDHALL_BACKUP_STORE)')
    .option('--passphrase-file <path>', 'file with the passphrase of the backups');
}

function parseKept(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= MAX_KEPT) return count;
  throw new InvalidArgumentError(`It must be between 1 and ${MAX_KEPT}.`);
}

async function openArchive(
  { io }: Cli,
  { store: chosen, passphraseFile }: StoreOptions,
  { isNew = false } = {},
): Promise<BackupArchive> {
  const location = chosen ?? io.env['GUILDHALL_BACKUP_STORE'];
  if (!location) throw new CliError('--store or GUILDHALL_BACKUP_STORE is required');
  const passphrase =
    passphraseFile === undefined
      ? (io.env['GUILDHALL_BACKUP_PASSPHRASE'] ?? '')
      : (await readFile(passphraseFile, 'utf8')).trim();
  if (passphrase.length < MIN_PASSPHRASE_LENGTH) {
    throw new CliError(
      `--passphrase-file or GUILDHALL_BACKUP_PASSPHRASE must have at least ${MIN_PASSPHRASE_LENGTH} characters`,
    );
  }
  return BackupArchive.open(await openBackupStore(location, io.env), passphrase, { isNew });
}

/** A backup as the command line shows it. */
function summaryOf({ id, snapshot_at, finished_at, repositories, failures, statistics }: Manifest) {
  return {
    id,
    snapshot_at,
    finished_at,
    ...statistics,
    repositories: repositories.length,
    failures,
  };
}

function describe({ id, repositories, statistics, failures }: Manifest): string {
  const { rows, bytes, written_bytes: written } = statistics;
  const state = failures.length === 0 ? '' : `, incomplete: ${failures.length} repositories failed`;
  return (
    `${id}: ${rows} rows, ${repositories.length} repositories, ${formatBytes(bytes)}, ` +
    `${formatBytes(written)} written${state}`
  );
}

async function create(cli: Cli, options: StoreOptions): Promise<void> {
  const archive = await openArchive(cli, options, { isNew: true });
  const manifest = await cli.withApp(async (app) => {
    const created = await createBackup(cli, archive);
    await app.get(DataSource).transaction((tx) =>
      app.get(AuditLog, { strict: false }).record(tx, cli.actor, {
        action: 'backup_created',
        targetType: 'Backup',
        targetId: null,
        targetName: created.id,
      }),
    );
    return created;
  });
  cli.print(summaryOf(manifest), describe(manifest));
  const { failures } = manifest;
  if (failures.length === 0) return;
  const lines = failures.map(({ repository, reason }) => `${repository}: ${reason}`);
  throw new CliError(`repositories are missing in the backup:\n${lines.join('\n')}`);
}

async function list(cli: Cli, options: StoreOptions): Promise<void> {
  const archive = await openArchive(cli, options);
  const manifests: Manifest[] = [];
  for (const id of await archive.ids()) manifests.push(await archive.manifest(id));
  const lines = manifests.map(describe);
  cli.print(manifests.map(summaryOf), lines.join('\n') || 'No backups.');
}

async function verify(cli: Cli, id: string | undefined, options: StoreOptions): Promise<void> {
  const archive = await openArchive(cli, options);
  const manifest = await archive.manifest(id);
  const progress = new Progress(cli.io, cli.json);
  const chunks = chunksOf(manifest);
  const problems: string[] = [];
  progress.begin('Chunks', chunks.size, 'chunks');
  for (const name of chunks) {
    try {
      progress.addBytes((await archive.chunk(name)).length);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      problems.push(error.message);
    }
    progress.advance(1);
  }
  progress.end();
  if (problems.length > 0) {
    throw new CliError(`backup ${manifest.id} cannot be restored:\n${problems.join('\n')}`);
  }
  const result = { id: manifest.id, chunks: chunks.size, intact: true };
  cli.print(result, `${manifest.id} is intact: ${chunks.size} chunks`);
}

async function restore(
  cli: Cli,
  id: string | undefined,
  { replace, ...options }: StoreOptions & { replace?: boolean },
): Promise<void> {
  const archive = await openArchive(cli, options);
  const manifest = await archive.manifest(id);
  await restoreBackup(cli, { archive, manifest }, { isReplacing: replace === true });
  // The restored key can be another one.
  const restored = new Cli(cli.io);
  await restored.withApp((app) =>
    app.get(DataSource).transaction((tx) =>
      app.get(AuditLog, { strict: false }).record(tx, cli.actor, {
        action: 'backup_restored',
        targetType: 'Backup',
        targetId: null,
        targetName: manifest.id,
      }),
    ),
  );
  cli.print(summaryOf(manifest), `Restored ${describe(manifest)}`);
}

async function printSecrets(
  cli: Cli,
  id: string | undefined,
  options: StoreOptions,
): Promise<void> {
  const archive = await openArchive(cli, options);
  const { secrets } = await archive.manifest(id);
  const lines = Object.entries(secrets).map(([name, value]) => `${name}=${value}`);
  cli.print(secrets, lines.join('\n'));
}

async function prune(cli: Cli, options: StoreOptions & { keep: number }): Promise<void> {
  const client = new pg.Client({ connectionString: cli.config.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ taken: boolean }>(BACKUP_LOCK_SQL);
    if (rows[0]?.taken !== true) throw new CliError('a backup is running');
    const archive = await openArchive(cli, options);
    const { backups, chunks } = await archive.prune(options.keep);
    cli.print({ backups, chunks }, `Deleted ${backups.length} backups and ${chunks} chunks`);
  } finally {
    await client.end();
  }
}
