import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Replacements, Tutorial } from '../docs/tutorial.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { cliEnvironment } from '../support/cli.js';
import { runCommand } from '../support/command.js';
import { makeAdmin, type MadeActor } from '../support/factories.js';

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

/** Runs one block of commands of a page as its reader does; returns its output. */
async function follow(
  page: string,
  { block = 0, replacements = [] }: { block?: number; replacements?: Replacements } = {},
): Promise<string> {
  const guide = new Tutorial(
    page.split('/')[1] ?? '',
    [
      ['http://localhost:3000', app.url],
      ['svcpat-…', admin.token],
      ['npx guildhall', `node ${resolve('dist/cli.js')}`],
      ...replacements,
    ],
    page.split('/')[0],
  );
  const { queuePrefix: name, databaseUrl: url, dataDir, secretKey, baseUrl } = app.config;
  const { code, stdout, stderr } = await runCommand('sh', ['-ec', guide.commands()[block] ?? ''], {
    cwd: folder,
    env: {
      ...process.env,
      ...cliEnvironment({ name, url }, dataDir, { SECRET_KEY: secretKey, BASE_URL: baseUrl }),
    },
  });
  if (code !== 0) throw new Error(`${page} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
}

describe('the commands of the guides', () => {
  it('create a user with a token, and block the user', async () => {
    expect(await follow('how-to/users')).toMatch(
      /^Created sam \(id \d+\)\.\nsvcpat-\w+\nsam is blocked\.\n$/,
    );
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

  it('preview, schedule and cancel moves, and pause and resume a storage', async () => {
    const made = await admin.api.post('/projects', { name: 'Shop', initialize_with_readme: true });
    const { id } = made.body as { id: number };
    const replacements: Replacements = [['/projects/1/', `/projects/${id}/`]];
    const output = await follow('how-to/storages', { replacements });
    const moved = [
      'project: 1 to move, 0 of them busy',
      '"state":"scheduled"',
      '"error_message":"Cancelled by ',
      '"paused":true',
      '"paused":false',
      'default -> storage2  failed',
    ];
    expect(moved.filter((text) => !output.includes(text))).toEqual([]);
  });

  it('check the instance', async () => {
    const output = await follow('how-to/monitoring');
    expect(output.match(/^ok +repositories$/gm)).toHaveLength(2);
    expect(output).not.toContain('failed');
  });

  it('prune activity events', async () => {
    expect(await follow('how-to/activity-events')).toMatch(
      /^0 events before \S+ would be removed\nevent_retention_days = 365\n/,
    );
  });

  it('change settings, and those that are secret from standard input', async () => {
    expect(await follow('reference/settings')).toContain(
      'max_personal_access_token_lifetime = 90\n',
    );
    await writeFile(join(folder, 'akismet-key.txt'), 'a key of Akismet\n');
    expect(await follow('reference/settings', { block: 1 })).toContain(
      'akismet_api_key_configured = true\n',
    );
  });
});
