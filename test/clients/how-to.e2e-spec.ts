import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLog } from '../../src/core/logger.js';
import { Document, follows, type Replacements } from '../docs/document.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { PASSPHRASE, startBucket } from '../support/backup-instance.js';
import { cliEnvironment } from '../support/cli.js';
import { runCommand } from '../support/command.js';
import { makeAdmin, type MadeActor } from '../support/factories.js';

follows('docs/how-to/activity-events.md', 'sh');
follows('docs/how-to/backup-and-restore.md', 'sh', 'object storage');
follows('docs/how-to/monitoring.md', 'sh');
follows('docs/how-to/scaling.md', 'sh');
follows('docs/how-to/storages.md', 'sh');
follows('docs/how-to/users.md', 'sh');
follows('docs/reference/command-line.md', 'sh');
follows('docs/reference/settings.md', 'sh');
follows('docs/runbook.md', 'sh');

/** Moves wait without a worker, so that they can be cancelled. */
let app: OwnTestApp;
let admin: MadeActor;
let folder: string;
let programs: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await makeAdmin(app);
  folder = await mkdtemp(join(tmpdir(), 'guildhall-how-to-'));
  programs = join(folder, 'programs');
  await mkdir(programs);
  const guildhall = `exec ${process.execPath} ${resolve('dist/cli.js')} "$@"`;
  await writeProgram('guildhall', guildhall);
  await writeProgram('npx', 'exec "$@"');
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

/** Puts a program on the PATH of the reader. */
async function writeProgram(name: string, script: string): Promise<void> {
  await writeFile(join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

interface Following {
  /** Name of the blocks. */
  name?: string;
  replacements?: Replacements;
  env?: Record<string, string>;
  /** Runs the commands after a failed one, too. */
  canFail?: boolean;
}

/** Runs the commands of a page as its reader does; returns their output. */
async function follow(
  page: string,
  { name = 'sh', replacements = [], env = {}, canFail = false }: Following = {},
): Promise<string> {
  const guide = new Document(`docs/${page}.md`, [
    ['http://localhost:3000', app.url],
    ['svcpat-…', admin.token],
    ...replacements,
  ]);
  const { queuePrefix, databaseUrl: url, dataDir, secretKey, baseUrl } = app.config;
  const script = guide.all(name).join('\n');
  const { code, stdout, stderr } = await runCommand('sh', [canFail ? '-c' : '-ec', script], {
    cwd: folder,
    env: cliEnvironment({ name: queuePrefix, url }, dataDir, {
      SECRET_KEY: secretKey,
      BASE_URL: baseUrl,
      ...env,
      PATH: `${programs}:${process.env['PATH']}`,
    }),
  });
  if (code !== 0 && !canFail) throw new Error(`${page} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
}

describe('the commands of the guides', () => {
  it.each([
    ['how-to/users', 'sam', 'kim is blocked.\n'],
    ['reference/command-line', 'sam', ''],
  ])('%s: create a user with a token', async (page, user, end) => {
    const name = page.endsWith('users') ? 'kim' : 'lee';
    const output = await follow(page, { replacements: [[user, name]] });
    expect(output).toMatch(new RegExp(`^Created ${name} \\(id \\d+\\)\\.\\nsvcpat-\\w+\\n${end}$`));
  });

  it('make, list and verify a backup', async () => {
    const replacements: Replacements = [['/mnt/backups/guildhall', join(folder, 'backups')]];
    const [created = '', listed, verified] = (
      await follow('how-to/backup-and-restore', { replacements })
    ).split('\n');
    expect([created, verified]).toEqual([
      expect.stringMatching(/^\S+: \d+ rows, /),
      `${created.split(':')[0]} is intact: ${verified?.split(': ')[1]}`,
    ]);
    expect(listed).toBe(created);
  });

  it('make a backup in a bucket', async () => {
    const bucket = await startBucket(join(folder, 'bucket'));
    const { AWS_ENDPOINT_URL = '', AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = bucket.env;
    try {
      const output = await follow('how-to/backup-and-restore', {
        name: 'object storage',
        env: { GUILDHALL_BACKUP_PASSPHRASE: PASSPHRASE },
        replacements: [
          ['https://s3.example.com', AWS_ENDPOINT_URL],
          ['AWS_ACCESS_KEY_ID=…', `AWS_ACCESS_KEY_ID=${AWS_ACCESS_KEY_ID}`],
          ['AWS_SECRET_ACCESS_KEY=…', `AWS_SECRET_ACCESS_KEY=${AWS_SECRET_ACCESS_KEY}`],
        ],
      });
      expect(output).toMatch(/^\S+: \d+ rows, /);
    } finally {
      await bucket.close();
    }
  });

  it('preview, schedule and cancel moves, and pause and resume a storage', async () => {
    const made = await admin.api.post('/projects', { name: 'Shop', initialize_with_readme: true });
    const { id } = made.body as { id: number };
    const moves = `curl -s -H "PRIVATE-TOKEN: $TOKEN" $URL/projects/${id}/repository_storage_moves`;
    const replacements: Replacements = [
      ['/projects/1/', `/projects/${id}/`],
      // The first number of the response is the ID of the only move.
      ['storage_moves/1/', `storage_moves/$(${moves} | sed 's/[^0-9]*\\([0-9]*\\).*/\\1/')/`],
    ];
    const output = await follow('how-to/storages', { replacements });
    const expected = [
      'project: 1 to move, 0 of them busy',
      '"state":"scheduled"',
      '"error_message":"Cancelled by ',
      '"paused":true',
      '"paused":false',
      'default -> storage2  failed',
    ];
    expect(expected.filter((text) => !output.includes(text))).toEqual([]);
  });

  it('check the instance', async () => {
    // The disk of this machine can be too full for a check.
    const output = await follow('how-to/monitoring', { canFail: true });
    expect(output.match(/^ok +repositories$/gm)).toHaveLength(2);
  });

  it('check a node, and the instance', async () => {
    const replacements: Replacements = [['http://10.0.0.11:3000', app.url]];
    const output = await follow('how-to/scaling', { replacements, canFail: true });
    expect(output).toContain('"redis_check":[{"status":"ok"');
    expect(output).toMatch(/^ok +repositories$/m);
  });

  it('prune activity events', async () => {
    expect(await follow('how-to/activity-events')).toMatch(
      /^0 events before \S+ would be removed\nevent_retention_days = 365\n/,
    );
  });

  it('change settings, and those that are secret from standard input', async () => {
    await writeFile(join(folder, 'akismet-key.txt'), 'a key of Akismet\n');
    const output = await follow('reference/settings');
    expect(output).toContain('max_personal_access_token_lifetime = 90\n');
    expect(output).toContain('akismet_api_key_configured = true\n');
  });

  it('answer the first questions of the runbook, with a log in place of that of a container', async () => {
    const log = join(folder, 'web.log');
    let lines = '';
    const logger = createLog('info', { write: (line: string) => (lines += line) });
    logger.error('a disk is full');
    logger.info('all is well');
    await writeFile(log, lines);
    await writeProgram('docker', `[ "$*" = 'compose logs web' ] && exec cat ${log}`);
    const replacements: Replacements = [['https://code.example.com', app.url]];
    const output = await follow('runbook', { replacements });
    expect(output).toContain('"status":"ok"');
    expect(output).toMatch(/^storage2 \(weight /m);
    expect(output).toContain('a disk is full');
    expect(output).not.toContain('all is well');
  });
});
