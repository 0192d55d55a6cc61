import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Replacements, Tutorial } from '../docs/tutorial.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { cliEnvironment } from '../support/cli.js';
import { runCommand } from '../support/command.js';
import { makeAdmin, type MadeActor } from '../support/factories.js';

/** The how-to guides that have commands without a name. */
const GUIDES = [
  'activity-events',
  'backup-and-restore',
  'monitoring',
  'storages',
  'users',
] as const;

/** Moves wait without a worker, so that they can be cancelled. */
let app: OwnTestApp;
let admin: MadeActor;
let folder: string;
beforeAll(async () => {
  app = await startTestApp();
  admin = await makeAdmin(app);
  folder = await mkdtemp(join(tmpdir(), 'guildhall-how-to-'));
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

interface Following {
  folder?: 'how-to' | 'reference';
  replacements?: Replacements;
  /** Runs the commands after a failed one, too. */
  canFail?: boolean;
}

/** Runs the commands of a page as its reader does; returns their output. */
async function follow(
  page: string,
  { folder: docs = 'how-to', replacements = [], canFail = false }: Following = {},
): Promise<string> {
  const guide = new Tutorial(
    page,
    [
      ['http://localhost:3000', app.url],
      ['svcpat-…', admin.token],
      ['npx guildhall', `node ${resolve('dist/cli.js')}`],
      ...replacements,
    ],
    docs,
  );
  const { queuePrefix: name, databaseUrl: url, dataDir, secretKey, baseUrl } = app.config;
  const script = guide.commands().join('\n');
  const { code, stdout, stderr } = await runCommand('sh', [canFail ? '-c' : '-ec', script], {
    cwd: folder,
    env: cliEnvironment({ name, url }, dataDir, { SECRET_KEY: secretKey, BASE_URL: baseUrl }),
  });
  if (code !== 0 && !canFail) throw new Error(`${page} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
}

describe('the commands of the guides', () => {
  it('have a test, or a name', () => {
    const pages = readdirSync('docs/how-to').map((name) => name.replace(/\.md$/, ''));
    const withCommands = pages.filter(
      (page) => new Tutorial(page, [], 'how-to').commands().length > 0,
    );
    expect(withCommands.sort()).toEqual(GUIDES);
  });

  it('create a user with a token, and block the user', async () => {
    expect(await follow('users')).toMatch(
      /^Created sam \(id \d+\)\.\nsvcpat-\w+\nsam is blocked\.\n$/,
    );
  });

  it('make, list and verify a backup', async () => {
    const replacements: Replacements = [['/mnt/backups/guildhall', join(folder, 'backups')]];
    const [created = '', listed, verified] = (
      await follow('backup-and-restore', { replacements })
    ).split('\n');
    expect([created, verified]).toEqual([
      expect.stringMatching(/^\S+: \d+ rows, /),
      `${created.split(':')[0]} is intact: ${verified?.split(': ')[1]}`,
    ]);
    expect(listed).toBe(created);
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
    const output = await follow('storages', { replacements });
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
    const output = await follow('monitoring', { canFail: true });
    expect(output.match(/^ok +repositories$/gm)).toHaveLength(2);
  });

  it('prune activity events', async () => {
    expect(await follow('activity-events')).toMatch(
      /^0 events before \S+ would be removed\nevent_retention_days = 365\n/,
    );
  });

  it('change settings, and those that are secret from standard input', async () => {
    await writeFile(join(folder, 'akismet-key.txt'), 'a key of Akismet\n');
    const output = await follow('settings', { folder: 'reference' });
    expect(output).toContain('max_personal_access_token_lifetime = 90\n');
    expect(output).toContain('akismet_api_key_configured = true\n');
  });
});
