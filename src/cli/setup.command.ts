import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { INestApplicationContext } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Config } from '../config/env.js';
import { dataSourceOptions } from '../database/database.module.js';
import { PERSONAL_TOKEN_SCOPES } from '../core/access/scopes.js';
import { ValidationFailedError } from '../core/errors.js';
import { TokenCreationService } from '../identity/tokens/token-creation.service.js';
import type { User } from '../identity/users/user.entity.js';
import { type Cli, type RegisterCommand, describeFailure, CliError } from './cli.js';
import { CliRepository, DEMO_LOCK_SQL, SETUP_LOCK_SQL } from './cli.repository.js';
import { DemoProgress } from './demo/timeline.js';
import { UsersService } from '../identity/users/users.service.js';

/** Output of `guildhall setup`; includes secrets only if it has just created them. */
interface SetupJson {
  baseUrl: string;
  username: string | null;
  password?: string;
  token?: string;
  /** Left to `guildhall demo-data`. */
  demoDataPending?: true;
  /** Where password and token are instead. */
  secretsFile?: string;
}

interface SetupOptions {
  deferDemoData?: boolean;
  hideSecrets?: boolean;
}

/** Below DATA_DIR. */
const SECRETS_FILE = 'initial-secrets.json';

/** `guildhall setup`: migrates a database and fills an empty one. */
export const registerSetup: RegisterCommand = (program, cli) => {
  program
    .command('setup')
    .description('migrate; on an empty database create the first administrator (prints JSON)')
    .option('--defer-demo-data', 'leave demo data to "guildhall demo-data"')
    .option('--hide-secrets', 'leave generated secrets to "guildhall initial-secrets"')
    .action(async ({ deferDemoData, hideSecrets }: SetupOptions) => {
      const result = await withLock(cli.config, SETUP_LOCK_SQL, async () => {
        await runMigrations(cli.config);
        return cli.withApp((app) => prepare(app, cli));
      });
      const progress = DemoProgress.open(cli.config.dataDir);
      // Wanted at an earlier start, and no more.
      if (!cli.config.demoData) progress?.finish();
      const isPending = cli.config.demoData && progress !== null;
      if (isPending && deferDemoData === true) result.demoDataPending = true;
      else if (isPending) await tryDemoData(cli);
      if (hideSecrets === true) hideSecretsOf(result, cli.config.dataDir);
      cli.print(result, JSON.stringify(result));
    });
};

/** Moves generated secrets to a file that only the owner can read: output ends up in logs. */
function hideSecretsOf(result: SetupJson, dataDir: string): void {
  const { username, password, token } = result;
  if (password === undefined && token === undefined) return;
  const path = join(dataDir, SECRETS_FILE);
  writeFileSync(path, `${JSON.stringify({ username, password, token })}\n`, { mode: 0o600 });
  delete result.password;
  delete result.token;
  result.secretsFile = path;
}

/** `guildhall initial-secrets`: shows the secrets of the first start once. */
export const registerInitialSecrets: RegisterCommand = (program, cli) => {
  program
    .command('initial-secrets')
    .description('print the generated secrets of the first start, once, and remove their file')
    .action(() => {
      const path = join(cli.config.dataDir, SECRETS_FILE);
      if (!existsSync(path)) {
        throw new CliError(
          `${path} is missing: its secrets were printed before, or set by variables`,
        );
      }
      const secrets = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
      const lines = Object.entries(secrets).map(([name, value]) => `${name}: ${value}`);
      cli.print(secrets, lines.join('\n'));
      rmSync(path);
    });
};

/** `guildhall demo-data`: completes the demo data that the first setup has asked for. */
export const registerDemoData: RegisterCommand = (program, cli) => {
  program
    .command('demo-data')
    .description('complete the demo data of a new instance, if setup has deferred it')
    .action(async () => {
      await runDemoData(cli, { hasWorker: true });
      cli.print({}, 'The demo data is complete.');
    });
};

/** The code of the web process is loaded only for it. */
async function runDemoData({ config }: Cli, { hasWorker }: { hasWorker: boolean }): Promise<void> {
  const { createDemoData } = await import('./demo/demo-data.js');
  await withLock(config, DEMO_LOCK_SQL, async () => {
    const progress = DemoProgress.open(config.dataDir);
    if (progress !== null) await createDemoData(config, { progress, hasWorker });
  });
}

async function prepare(app: INestApplicationContext, cli: Cli): Promise<SetupJson> {
  const { baseUrl, demoData, dataDir } = cli.config;
  const users = app.get(CliRepository);
  if (await users.hasHumans()) {
    return { baseUrl, username: await users.findFirstAdministrator() };
  }
  if (demoData) DemoProgress.request(dataDir);
  const { root, ...secrets } = await createRoot(app, cli);
  return { baseUrl, username: root.username, ...secrets };
}

/** Without the examples the instance is complete, and the secrets above are shown only once. */
async function tryDemoData(cli: Cli): Promise<void> {
  try {
    await runDemoData(cli, { hasWorker: false });
  } catch (error) {
    cli.io.stderr(`guildhall: the demo data is incomplete: ${describeFailure(error)}\n`);
  }
}

/**
 * Runs `work` while no other process holds the lock of the database. The lock ends with the
 * connection, so a killed process leaves none behind.
 */
async function withLock<T>(config: Config, lock: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: config.databaseUrl });
  await client.connect();
  try {
    await client.query(lock);
    return await work();
  } finally {
    await client.end();
  }
}

/** Brings the database's schema up to date; returns the names of the migrations that it lacked. */
async function runMigrations({ databaseUrl }: Config): Promise<string[]> {
  const options = dataSourceOptions({ databaseUrl, poolSize: 2, statementTimeoutMs: 0 });
  const dataSource = await new DataSource(options).initialize();
  try {
    const migrations = await dataSource.runMigrations();
    return migrations.map(({ name }) => name);
  } finally {
    await dataSource.destroy();
  }
}

/** `guildhall migrate`: brings the database's schema up to date. */
export const registerMigrate: RegisterCommand = (program, cli) => {
  program
    .command('migrate')
    .description("bring the database's schema up to date")
    .action(async () => {
      const applied = await withLock(cli.config, SETUP_LOCK_SQL, () => runMigrations(cli.config));
      const text =
        applied.length === 0
          ? 'The database is up to date.'
          : applied.map((name) => `Applied ${name}`).join('\n');
      cli.print({ applied }, text);
    });
};

const MIN_TOKEN_LENGTH = 20;

/** The first administrator, with generated secrets only. */
interface FirstStart {
  root: User;
  password?: string;
  token?: string;
}

/**
 * Creates the administrator `root` and a token of theirs with every scope. Password and token
 * come from the configuration or are generated.
 */
async function createRoot(
  app: INestApplicationContext,
  { config, actor }: Cli,
): Promise<FirstStart> {
  const { initialRootPassword, initialRootToken, baseUrl } = config;
  if (initialRootToken !== undefined && initialRootToken.length < MIN_TOKEN_LENGTH) {
    throw new CliError(`INITIAL_ROOT_TOKEN must have at least ${MIN_TOKEN_LENGTH} characters`);
  }
  const password = initialRootPassword ?? randomBytes(16).toString('hex');
  const creating = app.get(UsersService).create(
    {
      username: 'root',
      name: 'Administrator',
      email: `root@${new URL(baseUrl).hostname}`,
      password,
      attributes: { admin: true },
    },
    actor,
  );
  const root = await creating.catch((error: unknown) => {
    const problems = error instanceof ValidationFailedError ? error.messages.password : undefined;
    if (!Array.isArray(problems)) throw error;
    throw new CliError(`INITIAL_ROOT_PASSWORD ${problems.join(', ')}`);
  });
  const { raw } = await app.get(TokenCreationService).create(
    {
      userId: root.id,
      name: 'First start',
      scopes: PERSONAL_TOKEN_SCOPES,
      // Operators rotate or revoke it; an expiry could lock them out.
      expiresAt: null,
      ...(initialRootToken !== undefined && { raw: initialRootToken }),
    },
    actor,
  );
  return {
    root,
    ...(initialRootPassword === undefined && { password }),
    ...(initialRootToken === undefined && { token: raw }),
  };
}
