import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { relativeRepositoryPath } from '../../src/git/repository-path.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeAdmin, unique, type MadeActor } from '../support/factories.js';
import { makeGitSandbox, type GitSandbox } from '../support/git.js';
import { startTestWorker } from '../support/worker.js';

const COMMITS = 5_000;
const FILE_BYTES = 6_000;

interface ProjectJson {
  id: number;
  http_url_to_repo: string;
}

describe('a repository with 5,000 commits and 60 MB', () => {
  let app: OwnTestApp;
  let worker: INestApplicationContext;
  let sandbox: GitSandbox;
  let admin: MadeActor;
  let project: ProjectJson;
  let remote: string;

  beforeAll(async () => {
    app = await startTestApp();
    worker = await startTestWorker(app);
    sandbox = await makeGitSandbox();
    admin = await makeAdmin(app);
    const created = await admin.api.post('/projects').send({ name: unique('large-') });
    project = created.body as ProjectJson;
    remote = project.http_url_to_repo.replace('://', `://oauth2:${admin.token}@`);
    await sandbox.run(['init', '--quiet', '--bare', 'history.git']);
    await importHistory(join(sandbox.path, 'history.git'));
    await sandbox.run(['push', '--quiet', '--mirror', remote], 'history.git');
  }, 180_000);

  afterAll(async () => {
    await worker.close();
    await app.close();
    await sandbox.remove();
  });

  it('is the same after it moved there and back while clones ran', async () => {
    await writeFile(join(placeOn('default'), 'description'), 'What people wrote here\n');
    const before = await portrait('default');
    const clones = cloneUntilStopped();

    await move('storage2');
    expect(await portrait('storage2')).toEqual(before);
    expect(existsSync(placeOn('default'))).toBe(false);

    await move('default');
    expect(await portrait('default')).toEqual(before);
    expect(existsSync(placeOn('storage2'))).toBe(false);

    const cloned = await clones.stop();
    expect(cloned.length).toBeGreaterThan(0);
    expect(new Set(cloned)).toEqual(new Set([before.main]));
  }, 240_000);

  function placeOn(storage: string): string {
    const root = app.config.storages[storage]?.path ?? '';
    return join(root, relativeRepositoryPath('project', project.id));
  }

  async function portrait(storage: string): Promise<Record<string, string>> {
    const place = placeOn(storage);
    const run = (...args: string[]): Promise<string> => sandbox.run(['-C', place, ...args]);
    return {
      references: await run('for-each-ref'),
      head: readFileSync(join(place, 'HEAD'), 'utf8'),
      config: readFileSync(join(place, 'config'), 'utf8'),
      description: readFileSync(join(place, 'description'), 'utf8'),
      objects: await run('rev-list', '--objects', '--all', '--count'),
      damage: await run('fsck', '--full', '--no-progress'),
      main: await run('rev-parse', 'main'),
    };
  }

  async function move(destination: string): Promise<void> {
    const path = `/projects/${project.id}/repository_storage_moves`;
    const scheduled = await admin.api.post(path).send({ destination_storage_name: destination });
    expect(scheduled.status).toBe(201);
    const { id } = scheduled.body as { id: number };
    await eventually(
      async () => {
        const { body } = await admin.api.get(`${path}/${id}`);
        expect(body).toMatchObject({ state: 'finished', error_message: null });
      },
      { seconds: 90 },
    );
  }

  function cloneUntilStopped(): { stop(): Promise<string[]> } {
    let stopped = false;
    const loop = async (): Promise<string[]> => {
      const heads: string[] = [];
      while (!stopped) {
        const target = unique('clone-');
        await sandbox.run(['clone', '--quiet', '--bare', remote, target]);
        heads.push(await sandbox.run(['rev-parse', 'main'], target));
      }
      return heads;
    };
    const running = loop();
    return {
      stop: () => {
        stopped = true;
        return running;
      },
    };
  }
});

/** Fills the bare repository with commits of two files each, a tag on every hundredth. */
async function importHistory(repository: string): Promise<void> {
  const child = spawn('git', ['-C', repository, 'fast-import', '--quiet'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  for (let number = 1; number <= COMMITS; number += 1) {
    if (!child.stdin.write(commitStream(number))) await once(child.stdin, 'drain');
  }
  child.stdin.end();
  await once(child, 'exit');
}

function commitStream(number: number): string {
  const message = `Change ${number}`;
  const files = [0, 1].map((file) => {
    const content = randomBytes(FILE_BYTES / 2).toString('hex');
    return `M 100644 inline area-${number % 40}/file-${file}.txt\ndata ${content.length}\n${content}\n`;
  });
  const tag =
    number % 100 === 0 ? `reset refs/tags/v${number / 100}\nfrom refs/heads/main\n\n` : '';
  return [
    'commit refs/heads/main\n',
    `committer Test Author <author@example.com> ${1_700_000_000 + number} +0000\n`,
    `data ${message.length}\n${message}\n`,
    ...files,
    tag,
  ].join('');
}
