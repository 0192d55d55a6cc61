import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { arch, cpus, platform, release, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Config } from '../config/env.js';
import { InstanceSettings } from '../core/settings/instance-settings.service.js';
import { packageVersion } from '../core/version/package-version.js';
import { MIGRATION_NAMES } from '../database/database.module.js';
import { readSchemaState } from '../database/sql/schema-state.js';
import { presentSettings } from '../instance/settings/settings.dto.js';
import { StorageSummaries } from '../storage-moves/storage-summary.service.js';
import { type Cli, CliError, describeFailure, type RegisterCommand } from './cli.js';
import { diagnose } from './doctor.command.js';

const run = promisify(execFile);

const MAX_BYTES = 64 * 1024 * 1024;

/** Values that are written as they are; all others only as set or not set. */
const PUBLIC_VALUES: readonly (keyof Config)[] = [
  'nodeEnv',
  'port',
  'host',
  'baseUrl',
  'databasePoolSize',
  'webProcesses',
  'workerProcesses',
  'queuePrefix',
  'dataDir',
  'storages',
  'trustProxy',
  'rateLimits',
  'logLevel',
  'workerConcurrency',
  'moveDrainSeconds',
  'trashHours',
  'reportedVersion',
  'smtpConnections',
  'mailFrom',
  'demoData',
];

/** `guildhall support-bundle` */
export const registerSupportBundle: RegisterCommand = (program, cli) => {
  program
    .command('support-bundle')
    .description('write versions, configuration without secrets, settings and checks to a tar.gz')
    .option('--output <file>', 'the archive', 'guildhall-support.tar.gz')
    .action(({ output }: { output: string }) => writeBundle(cli, resolve(output)));
};

async function writeBundle(cli: Cli, output: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-support-'));
  try {
    for (const [name, content] of Object.entries(await collect(cli))) {
      await writeFile(join(folder, `${name}.json`), `${JSON.stringify(content, null, 2)}\n`);
    }
    const archive = ['-cz', '-C', folder, '.'];
    const { stdout } = await run('tar', archive, { encoding: 'buffer', maxBuffer: MAX_BYTES });
    // Written at once and last: an interrupted command leaves no file behind.
    await writeFile(output, stdout, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new CliError(`${output} exists`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  cli.print({ file: output }, `Wrote ${output}. Look through it before you pass it on.`);
}

/** Collects everything that can be read: support needs the bundle most when something is broken. */
async function collect(cli: Cli): Promise<Record<string, unknown>> {
  const stored = await resultOf(() =>
    cli.withApp(async (app) => ({
      settings: presentSettings(app.get(InstanceSettings).values),
      storages: await app.get(StorageSummaries, { strict: false }).all(),
    })),
  );
  return {
    versions: await versions(),
    configuration: publicConfiguration(cli.config),
    schema: {
      migrations: MIGRATION_NAMES,
      ...(await resultOf(() => readSchemaState(cli.config.databaseUrl))),
    },
    ...('error' in stored ? { settings: stored, storages: stored } : stored),
    doctor: await resultOf(() => diagnose(cli, false)),
  };
}

/** Returns the failure as `error` instead of throwing it. */
async function resultOf<T>(work: () => Promise<T>): Promise<T | { error: string }> {
  try {
    return await work();
  } catch (error) {
    return { error: describeFailure(error) };
  }
}

async function versions(): Promise<object> {
  const { stdout } = await run('git', ['--version']);
  return {
    guildhall: packageVersion(),
    node: process.version,
    git: stdout.trim(),
    system: `${platform()} ${release()} ${arch()}`,
    processors: cpus().length,
    memory_bytes: totalmem(),
  };
}

function publicConfiguration(config: Config): Record<string, unknown> {
  const isPublic = (name: string): boolean => PUBLIC_VALUES.some((known) => known === name);
  return Object.fromEntries(
    Object.entries(config).map(([name, value]: [string, unknown]) => [
      name,
      isPublic(name) ? value : `(${value === null ? 'none' : 'set'})`,
    ]),
  );
}
