import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Document, follows } from '../docs/document.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { runCommand } from '../support/command.js';
import { eventually } from '../support/eventually.js';
import { makeAdmin, unique } from '../support/factories.js';
import { startTestWorker } from '../support/worker.js';

follows('docs/tutorials/move-a-repository.md', 'sh');
follows('docs/tutorials/tour.md', 'sh', 'output');

let app: OwnTestApp;
let worker: INestApplicationContext;
let folder: string;
beforeAll(async () => {
  app = await startTestApp();
  worker = await startTestWorker(app);
  folder = await mkdtemp(join(tmpdir(), 'guildhall-tour-'));
});
afterAll(async () => {
  await worker.close();
  await Promise.all([app.close(), rm(folder, { recursive: true })]);
});

/** Runs commands, fails with what they complained about, and returns all that a terminal shows. */
async function run(commands: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { code, stdout } = await runCommand('sh', ['-ec', `exec 2>&1\n${commands}`], {
    cwd: folder,
    env: { ...process.env, ...env },
  });
  if (code !== 0) throw new Error(`${commands} ended with ${code}: ${stdout}`);
  return stdout;
}

describe('the tutorial move-a-repository', () => {
  it('moves a project and drains its storage', async () => {
    const { token, api, user } = await makeAdmin(app);
    const name = unique('tour');
    const tutorial = new Document('docs/tutorials/move-a-repository.md', [
      ['https://code.example.com/api', `${app.url}/api`],
      ['svcpat-…', token],
      ['name=tour', `name=${name}`],
      ['root%2Ftour', `${user.username}%2F${name}`],
    ]);
    const commands = tutorial.all('sh');
    expect(commands).toHaveLength(4);
    const [create = '', move = '', show = '', drain = ''] = commands;
    const env = create.slice(0, create.indexOf('\n'));
    await run(create);
    expect(await run(`${env}\n${move}`)).toContain('"state":"scheduled"');
    await eventually(
      async () => expect(await run(`${env}\n${show}`)).toContain('"state":"finished"'),
      { seconds: 30 },
    );
    await run(`${env}\n${drain}`);
    await eventually(
      async () => {
        const left = await api.get('/projects?repository_storage=storage2').expect(200);
        expect(left.body).toEqual([]);
      },
      { seconds: 30 },
    );
  });
});

/** Matches the beginning of a line of output; numbers, and what the document shortens by …, differ. */
function patternOf(line: string): RegExp {
  const parts = line.slice(0, 100).split(/"[^"…]*…"|\d+/);
  return new RegExp(
    parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*?'),
  );
}

describe('the API tour', () => {
  it('prints what it says', async () => {
    const { token } = await makeAdmin(app, { username: 'root', name: 'Administrator' });
    const { databaseUrl, queuePrefix, dataDir, secretKey, baseUrl } = app.config;
    const server = {
      DATABASE_URL: databaseUrl,
      REDIS_URL: process.env['TEST_REDIS_URL'],
      QUEUE_PREFIX: queuePrefix,
      DATA_DIR: dataDir,
      SECRET_KEY: secretKey,
      BASE_URL: baseUrl,
    };
    await run('git init -q && git -c user.name=A -c user.email=a@b.c commit -q --allow-empty -m A');
    const tutorial = new Document('docs/tutorials/tour.md', [
      ['localhost:3000', new URL(app.url).host],
      ['svcpat-…', token],
      ['/tmp/', `${folder}/`],
      ['npx guildhall', `node ${resolve('dist/src/cli.js')}`],
    ]);
    const printed = await run(tutorial.all('sh').join('\necho\n'), server);
    const lines = tutorial.all('output').join('').trim().split('\n');
    expect(lines.length).toBeGreaterThan(20);
    let rest = printed;
    for (const line of lines) {
      expect(rest).toMatch(patternOf(line));
      const [found = ''] = patternOf(line).exec(rest) ?? [];
      rest = rest.slice(rest.indexOf(found) + found.length);
    }
  });
});
