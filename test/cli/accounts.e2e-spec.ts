import { userInfo } from 'node:os';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { verifyPassword } from '../../src/core/passwords.js';
import { AccessToken } from '../../src/identity/tokens/access-token.entity.js';
import { User } from '../../src/identity/users/user.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import { cliEnvironment, runGuildhall } from '../support/cli.js';
import type { CommandResult } from '../support/command.js';
import { day } from '../support/days.js';
import { eventually } from '../support/eventually.js';
import { makeAdmin, makeToken, makeUser, unique } from '../support/factories.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

function guildhall(args: string[], stdin = ''): Promise<CommandResult> {
  const { queuePrefix: name, databaseUrl: url, dataDir } = app.config;
  return runGuildhall(args, { env: cliEnvironment({ name, url }, dataDir), stdin });
}

function createUser(username: string, ...more: string[]): string[] {
  const email = `${username}@example.com`;
  const basics = ['--username', username, '--name', 'New Person', '--email', email];
  return ['user', 'create', ...basics, ...more];
}

describe('guildhall user create', () => {
  it('creates a user with the password of standard input', async () => {
    const username = unique('cli');
    const result = await guildhall(createUser(username, '--password-stdin'), 'good password\n');
    const user = await app.dataSource.manager.findOneByOrFail(User, { username });
    expect(result).toEqual({
      code: 0,
      stdout: `Created ${username} (id ${user.id}).\n`,
      stderr: '',
    });
    expect(await verifyPassword(user.passwordDigest ?? '', 'good password')).toBe(true);
    expect(user).toMatchObject({ admin: false, state: 'active' });
  });

  it('prints JSON and names the user of the system in the audit log', async () => {
    const username = unique('cli');
    const { stdout } = await guildhall(createUser(username, '--admin', '--json'));
    const user = await app.dataSource.manager.findOneByOrFail(User, { username });
    const { id, email, name } = user;
    expect(JSON.parse(stdout)).toEqual({ id, username, name, email, admin: true });
    const audit = await app.dataSource.manager.findOneByOrFail(AuditEvent, {
      targetType: 'User',
      targetId: id,
    });
    expect(audit).toMatchObject({
      action: 'user_created',
      authorId: null,
      authorName: `${userInfo().username} (command line)`,
    });
  });

  it('ends with code 1 and one line for what cannot be', async () => {
    const { username } = await makeUser(app);
    const taken = await guildhall(createUser(username));
    const bad = await guildhall(createUser('admin', '--password', 'short'));
    expect(taken).toEqual({
      code: 1,
      stdout: '',
      stderr: 'guildhall: Username has already been taken\n',
    });
    expect(bad.stderr).toBe(
      'guildhall: username admin is a reserved name; password is too short (minimum is 8 characters)\n',
    );
  });

  it('prints failures as JSON', async () => {
    const { username } = await makeUser(app);
    const { code, stderr } = await guildhall(createUser(username, '--json'));
    expect([code, JSON.parse(stderr)]).toEqual([1, { error: 'Username has already been taken' }]);
  });

  it('refuses an empty standard input where a password belongs', async () => {
    const { code, stderr } = await guildhall(createUser(unique('cli'), '--password-stdin'));
    expect([code, stderr]).toEqual([1, 'guildhall: no password on standard input\n']);
  });

  it.each<[string, string[]]>([
    ['an option is missing', ['user', 'create', '--username', 'x']],
    ['an option is unknown', createUser('x', '--colour', 'red')],
    ['options exclude each other', createUser('x', '--password', 'a', '--password-stdin')],
    ['there is no such command', ['user', 'forget']],
    ['there is no command', []],
  ])('ends with code 2 when %s', async (_reason, args) => {
    const { code, stdout, stderr } = await guildhall(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toBe('');
  });

  it('reports a usage error as one line, with --json as JSON', async () => {
    const message = "unknown command 'lst' (Did you mean list?)";
    const text = await guildhall(['user', 'lst']);
    const json = await guildhall(['user', 'lst', '--json']);
    expect([text.code, text.stderr]).toEqual([2, `guildhall: ${message}\n`]);
    expect([json.code, JSON.parse(json.stderr)]).toEqual([2, { error: message }]);
  });
});

describe('guildhall token create', () => {
  const createToken = (user: string, ...more: string[]): string[] => {
    return ['token', 'create', '--user', user, '--name', 'ci', ...more];
  };

  it('prints a token that works at once', async () => {
    const user = await makeUser(app);
    const { code, stdout } = await guildhall(createToken(user.username, '--scope', 'read_user'));
    const token = stdout.trim();
    expect([code, token]).toEqual([0, expect.stringMatching(/^svcpat-[0-9a-v]{32}$/)]);
    const { body } = await api(app.url, token).get('/user').expect(200);
    expect(body).toMatchObject({ id: user.id });
  });

  it('prints JSON with the day on which it stops working', async () => {
    const { username } = await makeUser(app);
    const end = day(100);
    const scopes = ['--scope', 'api', 'read_user', '--expires-at', end];
    const { stdout } = await guildhall(createToken(username.toUpperCase(), ...scopes, '--json'));
    expect(JSON.parse(stdout)).toEqual({
      id: expect.any(Number),
      token: expect.any(String),
      user: username.toUpperCase(),
      name: 'ci',
      scopes: ['api', 'read_user'],
      expires_at: end,
    });
    const { id } = JSON.parse(stdout) as { id: number };
    const { expiresAt } = await app.dataSource.manager.findOneByOrFail(AccessToken, { id });
    expect(expiresAt).toEqual(new Date(`${end}T00:00:00Z`));
  });

  it('keeps to the expiry that the settings ask for', async () => {
    const { username } = await makeUser(app);
    const scope = ['--scope', 'api'];
    const absent = await guildhall(createToken(username, ...scope, '--json'));
    const late = await guildhall(createToken(username, ...scope, '--expires-at', day(366)));
    expect(JSON.parse(absent.stdout)).toMatchObject({ expires_at: day(365) });
    expect([late.code, late.stderr]).toEqual([
      1,
      `guildhall: Expires at must be before ${day(365)}\n`,
    ]);
  });

  it('gives the scopes of administrators to administrators only', async () => {
    const [{ user: admin }, user] = [await makeAdmin(app), await makeUser(app)];
    const allowed = await guildhall(createToken(admin.username, '--scope', 'sudo'));
    const refused = await guildhall(createToken(user.username, '--scope', 'sudo', 'api'));
    expect([allowed.code, refused]).toEqual([
      0,
      {
        code: 1,
        stdout: '',
        stderr: `guildhall: ${user.username} is not an administrator and cannot be granted sudo\n`,
      },
    ]);
  });

  it.each<[string, number, string[]]>([
    ['there is no such user', 1, createToken('nobody-here', '--scope', 'api')],
    ['the day is over', 1, createToken('root', '--scope', 'api', '--expires-at', '2020-01-01')],
    [
      'the day does not exist',
      2,
      createToken('root', '--scope', 'api', '--expires-at', '2030-02-30'),
    ],
    ['the scope is unknown', 2, createToken('root', '--scope', 'everything')],
    ['no scope is given', 2, createToken('root')],
  ])('fails when %s', async (_reason, expected, args) => {
    const { code, stdout, stderr } = await guildhall(args);
    expect([code, stdout, stderr.trim().split('\n').length]).toEqual([expected, '', 1]);
  });
});

describe('guildhall token list and revoke', () => {
  it('list the tokens of a user that work, or all, and end one at once', async () => {
    const user = await makeUser(app);
    const raw = await makeToken(app, user, { name: 'laptop', scopes: ['api', 'read_user'] });
    await makeToken(app, user, { name: 'old', revokedAt: new Date() });
    const [row] = await app.dataSource.manager.findBy(AccessToken, { userId: user.id });
    const list = (...more: string[]): Promise<CommandResult> =>
      guildhall(['token', 'list', '--user', user.username.toUpperCase(), ...more]);

    const before = await list();
    const revoked = await guildhall(['token', 'revoke', String(row?.id)]);
    const after = await list('--all', '--json');

    expect(before.stdout).toBe(`${row?.id}  laptop (api, read_user): never expires, never used\n`);
    expect(revoked).toEqual({ code: 0, stdout: `Token ${row?.id} is revoked.\n`, stderr: '' });
    expect(JSON.parse(after.stdout)).toEqual([
      expect.objectContaining({ id: row?.id, revoked: true, active: false }),
      expect.objectContaining({ name: 'old', revoked: true }),
    ]);
    await eventually(() => api(app.url, raw).get('/user').expect(401));
    expect((await list()).stdout).toBe(`${user.username.toUpperCase()} has no such token.\n`);
  });

  it.each<[string, number, string[]]>([
    ['there is no such user', 1, ['list', '--user', 'nobody-here']],
    ['no user is named', 2, ['list']],
    ['there is no such token', 1, ['revoke', '99999999']],
    ['the id is none', 2, ['revoke', 'laptop']],
  ])('fail when %s', async (_reason, expected, args) => {
    const { code, stdout, stderr } = await guildhall(['token', ...args]);
    expect([code, stdout, stderr.trim().split('\n').length]).toEqual([expected, '', 1]);
  });
});
