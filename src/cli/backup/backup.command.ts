import type { INestApplicationContext } from '@nestjs/common';
import { InvalidArgumentError, type Command } from 'commander';
import { DataSource } from 'typeorm';
import { type AuditEntry, AuditLog } from '../../core/audit/audit.service.js';
import { counted } from '../../core/ui/amounts.js';
import { Cli, CliError, describeFailure, type RegisterCommand } from '../cli.js';
import { formatBytes, Progress } from '../progress.js';
import type { BackupArchive } from './backup-archive.js';
import { createBackup } from './create-backup.js';
import { chunksOf, type Manifest, OtherFormatError } from './manifest.js';
import { findDamage, openArchive, withWritableArchive, type StoreOptions } from './open-archive.js';
import { restoreBackup } from './restore-backup.js';

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

type VerifyOptions = StoreOptions & { deleteDamaged?: boolean };

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
    .option('--delete-damaged', 'delete damaged content, which the next backup writes again')
    .action((id: string | undefined, options: VerifyOptions) => verify(cli, id, options));
  withStore(backup.command('restore'))
    .description('restore a backup into an empty instance, while web and worker are stopped')
    .argument('[id]', 'backup (default: the newest, which must be complete)')
    .option('--replace', 'delete everything in the database first')
    .action((id: string | undefined, options: StoreOptions & { replace?: boolean }) =>
      restore(cli, id, options),
    );
  withStore(backup.command('secrets'))
    .description('print the secrets of the configuration that a backup contains')
    .argument('[id]', 'backup (default: the newest)')
    .action((id: string | undefined, options: StoreOptions) => printSecrets(cli, id, options));
  withStore(backup.command('prune'))
    .description('delete all but the newest complete backups')
    .requiredOption('--keep <count>', 'number of complete backups to keep', parseKept)
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
  const failed = counted(failures.length, 'repository', 'repositories');
  const state = failures.length === 0 ? '' : `, incomplete: ${failed} failed`;
  return (
    `${id}: ${counted(rows, 'row')}, ${counted(repositories.length, 'repository', 'repositories')}, ` +
    `${formatBytes(bytes)}, ` +
    `${formatBytes(written)} written${state}`
  );
}

async function create(cli: Cli, options: StoreOptions): Promise<void> {
  const manifest = await cli.withApp(async (app) => {
    const created = await withWritableArchive(cli, { ...options, isNew: true }, (opened) =>
      createBackup(cli, opened),
    );
    await record(app, cli, { action: 'backup_created', targetName: created.id });
    return created;
  });
  cli.print(summaryOf(manifest), describe(manifest));
  if (manifest.failures.length > 0) throw new CliError(failuresOf(manifest));
}

function failuresOf({ id, failures }: Manifest): string {
  const lines = failures.map(({ repository, reason }) => `${repository}: ${reason}`);
  return `repositories are missing in the backup ${id}:\n${lines.join('\n')}`;
}

/** Writes an audit event about the backups. */
function record(
  app: INestApplicationContext,
  { actor }: Cli,
  entry: Pick<AuditEntry, 'action' | 'targetName' | 'details'>,
): Promise<void> {
  return app
    .get(DataSource)
    .transaction((tx) =>
      app
        .get(AuditLog, { strict: false })
        .record(tx, actor, { targetType: 'Backup', targetId: null, ...entry }),
    );
}

async function list(cli: Cli, options: StoreOptions): Promise<void> {
  const archive = await openArchive(cli, options);
  const found: { result: object; line: string }[] = [];
  for (const id of await archive.ids()) found.push(await lineOf(archive, id));
  const lines = found.map(({ line }) => line);
  cli.print(
    found.map(({ result }) => result),
    lines.join('\n') || 'No backups.',
  );
}

async function lineOf(
  archive: BackupArchive,
  id: string,
): Promise<{ result: object; line: string }> {
  try {
    const manifest = await archive.readable(id);
    if (manifest === null) return { result: { id, damaged: true }, line: `${id}: damaged` };
    return { result: summaryOf(manifest), line: describe(manifest) };
  } catch (error) {
    if (!(error instanceof OtherFormatError)) throw error;
    return { result: { id, format: error.format }, line: `${id}: format ${error.format}` };
  }
}

async function verify(
  cli: Cli,
  id: string | undefined,
  { deleteDamaged: isDeleting, ...options }: VerifyOptions,
): Promise<void> {
  const find = async (
    archive: BackupArchive,
  ): Promise<{ manifest: Manifest; damage: string[] }> => {
    const manifest = await archive.manifest(id);
    const damage = await findDamage(archive, manifest, new Progress(cli.io, cli.json));
    if (isDeleting === true) await archive.deleteChunks(damage.keys());
    return { manifest, damage: [...damage.values()] };
  };
  const { manifest, damage } =
    isDeleting === true
      ? await withWritableArchive(cli, options, ({ archive }) => find(archive))
      : await find(await openArchive(cli, options));
  if (damage.length > 0) {
    throw new CliError(`backup ${manifest.id} cannot be restored:\n${damage.join('\n')}`);
  }
  if (manifest.failures.length > 0) throw new CliError(failuresOf(manifest));
  const chunks = chunksOf(manifest).size;
  const result = { id: manifest.id, chunks, intact: true };
  cli.print(result, `${manifest.id} is intact: ${chunks} chunks`);
}

async function restore(
  cli: Cli,
  id: string | undefined,
  { replace, ...options }: StoreOptions & { replace?: boolean },
): Promise<void> {
  const archive = await openArchive(cli, options);
  const manifest = await archive.manifest(id);
  if (id === undefined && manifest.failures.length > 0) {
    throw new CliError(`${failuresOf(manifest)}\nName the ID of the backup to restore`);
  }
  await restoreBackup(cli, { archive, manifest }, { isReplacing: replace === true });
  // The restored key can be another one.
  const restored = new Cli(cli.io);
  await restored.withApp((app) =>
    record(app, cli, { action: 'backup_restored', targetName: manifest.id }),
  );
  cli.print(summaryOf(manifest), `Restored ${describe(manifest)}`);
}

async function printSecrets(
  cli: Cli,
  id: string | undefined,
  options: StoreOptions,
): Promise<void> {
  const archive = await openArchive(cli, options);
  const { secrets, id: targetName } = await archive.manifest(id);
  const lines = Object.entries(secrets).map(([name, value]) => `${name}=${value}`);
  try {
    await cli.withApp((app) => record(app, cli, { action: 'backup_secrets_read', targetName }));
  } catch (error) {
    // They are needed most where the database is lost.
    cli.io.stderr(`Not recorded in the audit log: ${describeFailure(error)}\n`);
  }
  cli.print(secrets, lines.join('\n'));
}

async function prune(
  cli: Cli,
  { keep, ...options }: StoreOptions & { keep: number },
): Promise<void> {
  await cli.withApp(async (app) => {
    const pruned = await withWritableArchive(cli, options, ({ archive }) => archive.prune(keep));
    const { backups, chunks, damaged } = pruned;
    await record(app, cli, {
      action: 'backup_pruned',
      targetName: `newest ${keep} kept`,
      details: { backups, chunks },
    });
    const note = damaged.length === 0 ? '' : `; no chunks while ${damaged.join(', ')} is damaged`;
    cli.print(
      pruned,
      `Deleted ${counted(backups.length, 'backup')} and ${counted(chunks, 'chunk')}${note}`,
    );
  });
}
