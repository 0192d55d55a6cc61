import { existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { verifyPassword } from '../../src/core/passwords.js';
import { credentialDigest } from '../../src/core/secrets.js';
import { cliEnvironment, runGuildhall } from '../support/cli.js';
import { runCommand, type CommandResult } from '../support/command.js';
import { makeDataDir, type TestEnvironment } from '../support/config.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const BASE_URL = 'https://guild.example.com';

let database: TestDatabase;
let dataDir: string;
beforeEach(async () => {
  [database, dataDir] = await Promise.all([createTestDatabase(), makeDataDir()]);
});
afterEach(async () => {
  await Promise.all([database.drop(), rm(dataDir, { recursive: true, force: true })]);
});

function setup(env: TestEnvironment = {}, options: string[] = []): Promise<CommandResult> {
  return runGuildhall(['setup', ...options], { env: cliEnvironment(database, dataDir, env) });
}

async function rows<T extends object>(statement: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<T>(statement, values)).rows;
  } finally {
    await client.end();
  }
}

describe('guildhall setup', () => {
  it('migrates a database without any table', async () => {
    await rows('DROP SCHEMA public CASCADE');
    await rows('CREATE SCHEMA public');
    const { code, stderr } = await setup();
    expect([code, stderr]).toEqual([0, '']);
    expect(await rows('SELECT username, admin FROM users')).toEqual([
      { username: 'root', admin: true },
    ]);
  });

  it('prints the secrets of the first start once', async () => {
    const first = JSON.parse((await setup()).stdout) as Record<string, string>;
    const second = JSON.parse((await setup()).stdout) as Record<string, string>;
    const { password = '', token = '', ...rest } = first;
    expect([rest, second]).toEqual([
      { baseUrl: BASE_URL, username: 'root' },
      { baseUrl: BASE_URL, username: 'root' },
    ]);
    const [root] = await rows<{ password_digest: string; scopes: string[] }>(
      `SELECT u.password_digest, t.scopes FROM users u JOIN access_tokens t ON t.user_id = u.id
       WHERE t.digest = $1`,
      [credentialDigest(token)],
    );
    expect(root?.scopes).toEqual(expect.arrayContaining(['api', 'sudo', 'admin_mode']));
    expect(await verifyPassword(root?.password_digest ?? '', password)).toBe(true);
  });

  it('leaves the secrets in a file that can be shown once, so that they are in no log', async () => {
    const { stdout } = await setup({}, ['--hide-secrets']);
    const path = join(dataDir, 'initial-secrets.json');
    expect(JSON.parse(stdout)).toEqual({ baseUrl: BASE_URL, username: 'root', secretsFile: path });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const show = () =>
      runGuildhall(['initial-secrets'], { env: cliEnvironment(database, dataDir) });
    expect((await show()).stdout).toMatch(/^username: root\npassword: \S+\ntoken: \S+\n$/);
    expect(await show()).toMatchObject({ code: 1, stdout: '' });
  });

  it('takes the secrets of the operator and does not repeat them', async () => {
    const token = 'a-token-that-the-operator-chose';
    const { stdout } = await setup({
      INITIAL_ROOT_PASSWORD: 'chosen by the operator',
      INITIAL_ROOT_TOKEN: token,
    });
    expect(JSON.parse(stdout)).toEqual({ baseUrl: BASE_URL, username: 'root' });
    expect(
      await rows('SELECT name FROM access_tokens WHERE digest = $1', [credentialDigest(token)]),
    ).toEqual([{ name: 'First start' }]);
  });

  it.each<[string, TestEnvironment]>([
    ['INITIAL_ROOT_TOKEN must have at least 20 characters', { INITIAL_ROOT_TOKEN: 'short' }],
    [
      'INITIAL_ROOT_PASSWORD is too short (minimum is 8 characters)',
      { INITIAL_ROOT_PASSWORD: 'short', INITIAL_ROOT_TOKEN: '' },
    ],
    [
      'INITIAL_ROOT_PASSWORD must not contain commonly used combinations of words and letters',
      { INITIAL_ROOT_PASSWORD: 'password' },
    ],
  ])('refuses weak secrets and creates no user: %s', async (reason, env) => {
    const { code, stderr } = await setup(env);
    expect([code, stderr]).toEqual([1, `guildhall: ${reason}\n`]);
    expect(await rows('SELECT 1 FROM users')).toEqual([]);
  });

  it('creates one root when two processes set up at once', async () => {
    const results = await Promise.all([setup(), setup()]);
    const printed = results.map(({ stdout }) => Object.keys(JSON.parse(stdout) as object).length);
    expect(printed.sort()).toEqual([2, 4]);
    expect(await rows('SELECT username FROM users')).toEqual([{ username: 'root' }]);
  });

  it('creates root although a worker has created an internal user before', async () => {
    await rows(
      `INSERT INTO users (username, name, email, user_type)
       VALUES ('alert-bot', 'Alert Bot', 'alert-bot@guildhall.invalid', 'internal')`,
    );
    const { stdout } = await setup();
    expect(JSON.parse(stdout)).toMatchObject({ username: 'root' });
  });

  it('leaves a database with users alone', async () => {
    await setup();
    await rows(`UPDATE users SET username = 'chief' WHERE username = 'root'`);
    const { stdout } = await setup({ DEMO_DATA: 'on' });
    expect(JSON.parse(stdout)).toEqual({ baseUrl: BASE_URL, username: 'chief' });
    expect(await rows('SELECT 1 FROM projects')).toEqual([]);
  });

  it('adds no demo data to a database that others use', async () => {
    const progress = join(dataDir, 'demo-data.json');
    await setup({ DEMO_DATA: 'on' }, ['--defer-demo-data']);
    await rows(
      `INSERT INTO users (username, name, email) VALUES ('mei', 'Mei', 'mei@example.com')`,
    );
    const { stderr } = await setup({ DEMO_DATA: 'on' });
    expect(stderr).toContain('the database is in use');
    expect(existsSync(progress)).toBe(false);
    expect(await rows('SELECT 1 FROM projects')).toEqual([]);
  });

  it('forgets demo data that is no longer wanted', async () => {
    const progress = join(dataDir, 'demo-data.json');
    await setup({ DEMO_DATA: 'on' }, ['--defer-demo-data']);
    expect(existsSync(progress)).toBe(true);
    await setup();
    expect(existsSync(progress)).toBe(false);
  });

  it('lets a team work for eighty days when asked for demo data', async () => {
    const { code, stderr } = await setup({ DEMO_DATA: 'on' });
    expect([code, stderr]).toEqual([0, '']);
    expect(
      await rows(
        `SELECT n.full_path || '/' || p.path AS path, p.empty_repo FROM projects p
         JOIN namespaces n ON n.id = p.namespace_id ORDER BY p.id`,
      ),
    ).toEqual(
      [
        'acme/platform/deploy',
        'acme/platform/payments',
        'acme/handbook',
        'acme/web-shop/storefront',
        'acme/web-shop/checkout',
      ].map((path) => ({ path, empty_repo: false })),
    );
    const [counts] = await rows(
      `SELECT (SELECT count(*) FROM users WHERE avatar IS NOT NULL) AS portraits,
         (SELECT count(*) FROM issues WHERE issue_type = 'issue') AS issues,
         (SELECT count(*) FROM issues WHERE issue_type = 'incident') AS incidents,
         (SELECT count(*) FROM merge_requests WHERE state = 'merged') AS merged,
         (SELECT count(DISTINCT severity) FROM alerts) AS severities,
         (SELECT count(*) FROM alerts WHERE hour_totals IS NOT NULL) AS spread,
         (SELECT count(*) FROM errors) AS errors,
         (SELECT count(*) FROM project_repository_storage_moves) AS moves,
         (SELECT count(*) FROM access_tokens WHERE name = 'Demo data' AND revoked_at IS NULL)
           AS tokens,
         (SELECT count(DISTINCT created_at::date) FROM events) > 30 AS has_past,
         (SELECT max(created_at) <= now() FROM events) AS has_no_future`,
    );
    expect(counts).toEqual({
      portraits: 7,
      issues: 14,
      incidents: 1,
      merged: 1,
      severities: 5,
      spread: 12,
      errors: 7,
      // No worker is there to run them.
      moves: 3,
      tokens: 0,
      has_past: true,
      has_no_future: true,
    });
  }, 120_000);
});

describe('guildhall migrate', () => {
  it('names what it applied and has nothing to do the second time', async () => {
    await rows('DROP SCHEMA public CASCADE');
    await rows('CREATE SCHEMA public');
    const env = cliEnvironment(database, dataDir);
    const first = await runGuildhall(['migrate', '--json'], { env });
    const second = await runGuildhall(['migrate'], { env });
    const { applied } = JSON.parse(first.stdout) as { applied: string[] };
    expect(applied).toContain('Baseline1795900000000');
    expect(second).toEqual({ code: 0, stdout: 'The database is up to date.\n', stderr: '' });
  });
});

describe('the built program', () => {
  const cli = (args: string[], env: TestEnvironment): Promise<CommandResult> =>
    runCommand(process.execPath, ['dist/cli.js', ...args], { env });

  it('works as a process of its own', async () => {
    const env = cliEnvironment(database, dataDir);
    const { code, stdout, stderr } = await cli(['setup'], env);
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({ username: 'root' });
  });

  it('prints one line when the database is unreachable, and ends', async () => {
    const env = cliEnvironment({ ...database, url: 'postgres://127.0.0.1:1/none' }, dataDir);
    const args = ['token', 'create', '--user', 'root', '--name', 'x', '--scope', 'api'];
    expect(await cli(args, env)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'guildhall: the database cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n',
    });
  });

  it('prints one line when the database is not migrated', async () => {
    await rows('DROP TABLE schema_migrations');
    const env = cliEnvironment(database, dataDir);
    const args = ['token', 'create', '--user', 'root', '--name', 'x', '--scope', 'api'];
    const { code, stderr } = await cli(args, env);
    expect([code, stderr]).toEqual([
      1,
      'guildhall: the database is empty: run `guildhall migrate`\n',
    ]);
  });
});
