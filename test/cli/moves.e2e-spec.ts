import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCli } from '../../src/cli/program.js';
import { MoveStatisticsRepository } from '../../src/storage-moves/move-statistics.repository.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { redisUrlOf } from '../support/config.js';
import { makeUser, type MadeUser } from '../support/factories.js';
import {
  makeMovableGroup,
  makeMovableProject,
  makeMovableSnippet,
  makeProjectRow,
} from '../support/storage-move-factories.js';
import { startTestWorker } from '../support/worker.js';

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

describe('the commands for storage moves', () => {
  let app: OwnTestApp;
  let worker: INestApplicationContext;
  let user: MadeUser;

  beforeAll(async () => {
    app = await startTestApp();
    worker = await startTestWorker(app);
    user = await makeUser(app);
  });

  afterAll(async () => {
    await worker.close();
    await app.close();
  });

  async function guildhall(...args: string[]): Promise<Outcome> {
    const { config } = app;
    const outcome = { stdout: '', stderr: '' };
    const code = await runCli(args, {
      env: {
        NODE_ENV: 'test',
        DATABASE_URL: config.databaseUrl,
        REDIS_URL: redisUrlOf(config),
        QUEUE_PREFIX: config.queuePrefix,
        DATA_DIR: config.dataDir,
        SECRET_KEY: config.secretKey,
        BASE_URL: config.baseUrl,
      },
      stdout: (text) => (outcome.stdout += text),
      stderr: (text) => (outcome.stderr += text),
      readStdin: () => Promise.resolve(''),
      isTerminal: false,
    });
    return { code, ...outcome };
  }

  it('previews a bulk move without moving', async () => {
    await makeMovableProject(app, user);
    const args = ['moves', 'schedule', '--from', 'default', '--to', 'storage2', '--dry-run'];
    const text = await guildhall(...args, '--kind', 'project');
    expect(text).toMatchObject({ code: 0, stdout: 'project: 1 to move, 0 of them busy\n' });
    const json = await guildhall('--json', ...args);
    expect(JSON.parse(json.stdout)).toMatchObject({ project: { containers: 1 }, snippet: {} });
    expect((await guildhall('moves', 'list')).stdout).toBe('No moves.\n');
  });

  it('moves everything of one kind and waits for it', async () => {
    const args = ['--from', 'default', '--to', 'storage2', '--kind', 'project', '--watch'];
    const { code, stdout } = await guildhall('moves', 'schedule', ...args);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Scheduled: all projects on default$/m);
    expect(stdout).toMatch(/^1 finished, 0 failed$/m);
    const list = await guildhall('moves', 'list', '--state', 'finished');
    expect(list.stdout).toMatch(/^project \d+ {2}move \d+ {2}default -> storage2 {2}finished$/m);
    expect(await guildhall('--json', 'moves', 'watch')).toMatchObject({
      code: 0,
      stdout: '{"finished":0,"failed":0,"failures":[]}\n',
    });
  });

  it('drains a storage until nothing is left on it', async () => {
    await makeMovableProject(app, user);
    await makeMovableSnippet(app, user);
    await makeMovableGroup(app);
    const drained = await guildhall('storage', 'drain', 'default', '--to', 'storage2', '--watch');
    expect(drained.code).toBe(0);
    expect(drained.stderr).toMatch(/^hint: default has weight 100/);
    expect(drained.stdout).toMatch(/^3 finished, 0 failed$/m);
    expect(drained.stdout).toMatch(/^default is empty$/m);
    const { stdout } = await guildhall('storage', 'status');
    expect(stdout).toMatch(
      /^default \(weight 100, open\): 0 projects, 0 snippets, 0 groups; in 0, out 0, trash \d+$/m,
    );
    const json = await guildhall('--json', 'storage', 'status');
    expect(JSON.parse(json.stdout)).toMatchObject([{ name: 'default' }, { name: 'storage2' }]);
  });

  it('prints failed moves with their reasons, and fails', async () => {
    const { id } = await makeProjectRow(app, user, {
      emptyRepo: false,
      repositoryStorage: 'storage2',
    });
    const args = ['--from', 'storage2', '--to', 'default', '--kind', 'project', '--watch'];
    const scheduled = await guildhall('moves', 'schedule', ...args);
    expect(scheduled.code).toBe(1);
    const reason = `storage2 -> default  failed  Source repository is missing on storage storage2`;
    expect(scheduled.stdout).toMatch(new RegExp(`^project ${id}  move \\d+  ${reason}$`, 'm'));
    expect(scheduled.stderr).toContain(
      'guildhall: 1 move failed: see `guildhall moves list --state failed`\n',
    );
    await app.dataSource.query('DELETE FROM projects WHERE id = $1', [id]);
  });

  it('fails to drain a storage on which something stays', async () => {
    const { id } = await makeProjectRow(app, user, { emptyRepo: false });
    const args = ['--json', 'storage', 'drain', 'default', '--to', 'storage2', '--watch'];
    const { code, stdout, stderr } = await guildhall(...args);
    expect(code).toBe(1);
    const [, outcome = ''] = stdout.trim().split('\n');
    expect(JSON.parse(outcome)).toMatchObject({
      failed: 1,
      failures: [{ kind: 'project', container_id: id, state: 'failed' }],
    });
    expect(stderr).toContain('1 are still on default');
    await app.dataSource.query('DELETE FROM projects WHERE id = $1', [id]);
  });

  it('counts what waits once, however often it was asked for', async () => {
    await app.dataSource.query(
      `INSERT INTO storage_settings (storage, paused) VALUES ('storage2', true)`,
    );
    const { id } = await makeMovableProject(app, user, { repositoryReadOnly: true });
    await makeMovableProject(app, user);
    await app.dataSource.query(
      `WITH move AS (
         INSERT INTO project_repository_storage_moves
           (project_id, state, source_storage_name, destination_storage_name)
         VALUES ($1, 'scheduled', 'default', 'storage2') RETURNING id
       ), batch AS (
         INSERT INTO storage_move_batches (kind, source_storage_name, destination_storage_name)
         VALUES ('project', 'default', 'storage2'), ('project', 'default', 'storage2')
       )
       UPDATE projects SET read_only_move_id = move.id FROM move WHERE projects.id = $1`,
      [id],
    );
    const progress = await worker
      .get(MoveStatisticsRepository, { strict: false })
      .countProgress(new Date());
    expect(progress).toMatchObject({ unscheduled: 1, waiting: 1, running: 0 });
    await app.dataSource.query('DELETE FROM storage_settings');
    expect(await guildhall('moves', 'watch')).toMatchObject({ code: 0 });
  });

  it('shows while waiting that a storage is paused', async () => {
    await app.dataSource.query(
      `INSERT INTO storage_settings (storage, paused) VALUES ('storage2', true)`,
    );
    try {
      const { code, stderr } = await guildhall('moves', 'watch');
      expect(code).toBe(0);
      expect(stderr).toContain('hint: storage2 is paused: no move from or to it starts\n');
    } finally {
      await app.dataSource.query('DELETE FROM storage_settings');
    }
  });

  it('ends with one clear line for a storage that is not there', async () => {
    const drained = await guildhall('storage', 'drain', 'nowhere');
    expect(drained).toEqual({
      code: 1,
      stdout: '',
      stderr: 'guildhall: there is no storage nowhere; STORAGES has default, storage2\n',
    });
    for (const args of [
      ['storage', 'pause', 'nowhere'],
      ['moves', 'schedule', '--from', 'nowhere'],
      ['moves', 'schedule', '--from', 'default', '--to', 'nowhere'],
    ]) {
      expect(await guildhall(...args)).toEqual(drained);
    }
    for (const command of [
      ['storage', 'drain', 'default'],
      ['moves', 'schedule', '--from', 'default'],
    ]) {
      const { code, stderr } = await guildhall(...command, '--to', 'default');
      expect([code, stderr]).toEqual([
        1,
        'guildhall: --to must name another storage than default\n',
      ]);
    }
    expect((await guildhall('moves', 'schedule')).code).toBe(2);
    expect((await guildhall('moves', 'list', '--state', 'bogus')).code).toBe(2);
    expect((await guildhall('moves', 'list', '--limit', '-5')).code).toBe(2);
    expect((await guildhall('moves', 'list', '--limit', 'many')).code).toBe(2);
  });
});
