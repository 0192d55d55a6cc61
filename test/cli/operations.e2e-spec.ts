import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Queue } from 'bull';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { ALL_QUEUES } from '../../src/core/durable-work/job-queue.service.js';
import { verifyPassword } from '../../src/core/passwords.js';
import { User } from '../../src/identity/users/user.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { cliEnvironment, runGuildhall } from '../support/cli.js';
import { type CommandResult, runCommand } from '../support/command.js';
import type { TestEnvironment } from '../support/config.js';
import { makeAdmin, makeUser } from '../support/factories.js';
import { openPort } from '../support/listening-port.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

function guildhall(
  args: string[],
  { stdin = '', env = {} }: { stdin?: string; env?: TestEnvironment } = {},
): Promise<CommandResult> {
  const { queuePrefix: name, databaseUrl: url, dataDir } = app.config;
  return runGuildhall(args, { env: cliEnvironment({ name, url }, dataDir, env), stdin });
}

async function closedPort(): Promise<number> {
  const { port, handle } = await openPort();
  await new Promise((closed) => handle.close(closed));
  return port;
}

describe('guildhall user', () => {
  it('blocks, unblocks, unlocks, promotes and deletes by the command line', async () => {
    await makeAdmin(app);
    const user = await makeUser(app, { failedAttempts: 3, lockedAt: new Date() });
    const { username, id } = user;
    const find = (): Promise<User | null> => app.dataSource.manager.findOneBy(User, { id });
    const steps: [string[], Partial<User>][] = [
      [['unlock', username], { lockedAt: null, failedAttempts: 0 }],
      [['block', username], { state: 'blocked' }],
      [['unblock', username], { state: 'active' }],
      [['admin', username.toUpperCase()], { admin: true }],
      [['admin', username, '--revoke'], { admin: false }],
    ];
    for (const [args, expected] of steps) {
      const { code, stderr } = await guildhall(['user', ...args]);
      expect([args[0], code, stderr]).toEqual([args[0], 0, '']);
      expect(await find()).toMatchObject(expected);
    }
    const list = await guildhall(['user', 'list', '--search', username, '--json']);
    expect(JSON.parse(list.stdout)).toEqual([
      expect.objectContaining({ id, username, state: 'active', admin: false, locked: false }),
    ]);
    const changed = await guildhall(['user', 'password', username, '--password-stdin'], {
      stdin: 'a new password of mine\n',
    });
    const digest = (await find())?.passwordDigest ?? '';
    expect([changed.code, await verifyPassword(digest, 'a new password of mine')]).toEqual([
      0,
      true,
    ]);
    const unsure = await guildhall(['user', 'delete', username]);
    const deleted = await guildhall(['user', 'delete', username, '--yes']);
    expect([unsure.code, deleted.code, await find()]).toEqual([2, 0, null]);
    const trail = await app.dataSource.manager.findBy(AuditEvent, {
      targetType: 'User',
      targetId: id,
    });
    expect(new Set(trail.map(({ authorName }) => authorName?.split(' (')[1]))).toEqual(
      new Set(['command line)']),
    );
    expect((await guildhall(['user', 'block', username])).stderr).toBe(
      `guildhall: there is no user ${username}\n`,
    );
  });
});

describe('guildhall storage', () => {
  it('pauses and resumes a storage', async () => {
    const paused = await guildhall(['storage', 'pause', 'storage2']);
    const status = await guildhall(['storage', 'status']);
    const open = await guildhall(['storage', 'resume', 'storage2', '--json']);
    expect([paused.stdout, JSON.parse(open.stdout)]).toEqual([
      'storage2 is paused.\n',
      { storage: 'storage2', paused: false },
    ]);
    expect(status.stdout).toContain('storage2 (weight 0, paused)');
    expect((await guildhall(['storage', 'pause', 'none'])).code).toBe(1);
  });
});

describe('guildhall jobs and errors', () => {
  it('list, retry and drop jobs, with an entry in the audit log', async () => {
    const queues = app.app.get<Queue[]>(ALL_QUEUES, { strict: false });
    const job = await queues
      .find(({ name }) => name === 'mails')
      ?.add('send-mails', {}, { delay: 600_000 });
    const id = String(job?.id);
    const listed = await guildhall([
      'jobs',
      'list',
      '--queue',
      'mails',
      '--state',
      'delayed',
      '--json',
    ]);
    expect(JSON.parse(listed.stdout)).toContainEqual(
      expect.objectContaining({ queue: 'mails', id, state: 'delayed', error: null }),
    );
    const retried = await guildhall(['jobs', 'retry', 'mails', id]);
    const dropped = await guildhall(['jobs', 'drop', 'mails', id]);
    const again = await guildhall(['jobs', 'drop', 'mails', id]);
    expect([retried.code, dropped.stdout, again.code]).toEqual([
      1,
      `Job ${id} of mails is dropped.\n`,
      1,
    ]);
    const trail = await app.dataSource.manager.findOneByOrFail(AuditEvent, {
      action: 'job_dropped',
    });
    expect([trail.targetName, trail.authorName]).toEqual([
      'mails',
      expect.stringContaining('(command line)'),
    ]);
    const pruned = await guildhall(['errors', 'prune', '--json']);
    expect(JSON.parse(pruned.stdout)).toMatchObject({ errors: 0, trends: 0 });
    await app.dataSource.manager.findOneByOrFail(AuditEvent, { action: 'errors_pruned' });
  });

  it('fail when Redis does not answer', async () => {
    const env = { REDIS_URL: `redis://127.0.0.1:${await closedPort()}` };
    const results = await Promise.all([
      guildhall(['jobs', 'list'], { env }),
      guildhall(['jobs', 'retry', 'mails', '1'], { env }),
    ]);
    for (const { code, stderr } of results) {
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/^guildhall: Redis does not answer$/m),
      ]);
    }
  });
});

describe('guildhall support-bundle', () => {
  it('writes an archive without secrets', async () => {
    const output = join(app.config.dataDir, 'bundle.tar.gz');
    const written = await guildhall(['support-bundle', '--output', output, '--json']);
    expect([written.code, JSON.parse(written.stdout)]).toEqual([0, { file: output }]);
    const bundle = await readFile(output);
    expect((await stat(output)).mode & 0o777).toBe(0o600);
    const { stdout } = await runCommand('tar', ['-xzOf', output]);
    const password = new URL(app.config.databaseUrl).password;
    const secrets = [app.config.secretKey, ...(password === '' ? [] : [password])];
    expect(secrets.filter((secret) => stdout.includes(secret))).toEqual([]);
    for (const text of [
      '"migrations"',
      '"check"',
      '"trashHours"',
      '"signup_enabled"',
      'storage2',
    ]) {
      expect(stdout).toContain(text);
    }
    const again = await guildhall(['support-bundle', '--output', output]);
    expect([again.code, again.stderr]).toEqual([1, `guildhall: ${output} exists\n`]);
    expect(await readFile(output)).toEqual(bundle);
    const nowhere = join(app.config.dataDir, 'none', 'bundle.tar.gz');
    const refused = await guildhall(['support-bundle', '--output', nowhere]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      `guildhall: cannot access ${nowhere}: no such file or directory\n`,
    ]);
  });

  it('writes what it can without the database', async () => {
    const output = join(app.config.dataDir, 'bundle-without-database.tar.gz');
    const env = { DATABASE_URL: `postgres://127.0.0.1:${await closedPort()}/none` };
    const { code } = await guildhall(['support-bundle', '--output', output], { env });
    const { stdout } = await runCommand('tar', ['-xzOf', output]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('the database cannot be reached')]);
    for (const text of ['"trashHours"', '"guildhall"', '"check": "disk"']) {
      expect(stdout).toContain(text);
    }
  });
});

describe('guildhall completion', () => {
  it('prints scripts that bash accepts and that complete commands', async () => {
    const { stdout } = await guildhall(['completion', 'bash']);
    const script = `${stdout}\nCOMP_WORDS=(guildhall backup cr); COMP_CWORD=2; _guildhall; echo "\${COMPREPLY[@]}"`;
    const completed = await runCommand('bash', ['-c', script]);
    expect([completed.stderr, completed.stdout]).toEqual(['', 'create\n']);
    const shells = await Promise.all(
      ['zsh', 'fish'].map((name) => guildhall(['completion', name])),
    );
    for (const { stdout: text } of shells) expect(text).toContain('storage');
    expect((await guildhall(['completion', 'cmd'])).code).toBe(2);
  });
});
