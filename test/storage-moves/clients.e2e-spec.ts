import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { InflightWrite } from '../../src/git/inflight-writes.repository.js';
import type { Project } from '../../src/workspace/projects/project.entity.js';
import { makePack, pushBody, SlowPush } from '../git-http/raw-push.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, makeAdmin, type MadeActor } from '../support/factories.js';
import { makeGitSandbox, type GitSandbox } from '../support/git.js';
import {
  holdAt,
  moveRow,
  passAll,
  projectPageContext,
  untilState,
} from '../support/move-control.js';
import { git, makeMovableProject, repositoryPath } from '../support/storage-move-factories.js';
import { startTestWorker } from '../support/worker.js';

const READ_ONLY = 'The repository is temporarily read-only. Please try again later.';

describe('what users notice of a storage move', () => {
  let app: OwnTestApp;
  let worker: INestApplicationContext;
  let sandbox: GitSandbox;
  let admin: MadeActor;
  let owner: MadeActor;

  beforeAll(async () => {
    app = await startTestApp();
    worker = await startTestWorker(app);
    sandbox = await makeGitSandbox();
    admin = await makeAdmin(app);
    owner = await makeActor(app);
  });

  afterEach(() => passAll(worker));

  afterAll(async () => {
    await worker.close();
    await app.close();
    await sandbox.remove();
  });

  const addressOf = (project: Project): string => {
    const url = new URL(`${app.url}/${owner.user.username}/${project.path}.git`);
    return Object.assign(url, { username: 'any', password: owner.token }).href;
  };

  const schedule = async (project: Project): Promise<number> => {
    const response = await admin.api
      .post(`/projects/${project.id}/repository_storage_moves`, {
        destination_storage_name: 'storage2',
      })
      .expect(201);
    return response.body.id as number;
  };

  it('refuses a push during the move with a readable reason, and takes it afterwards', async () => {
    const project = await makeMovableProject(app, owner.user);
    await sandbox.run(['clone', '--quiet', addressOf(project), project.path]);
    const commit = await sandbox.commit(project.path, 'late.txt', 'late');
    const hold = holdAt(worker, 'repository.after-verify');
    const id = await schedule(project);
    await hold.reached;
    const refused = await sandbox.try(['push', 'origin', 'HEAD:main'], project.path);
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain(READ_ONLY);
    await sandbox.run(['clone', '--quiet', addressOf(project), `${project.path}-during`]);
    hold.release();
    await untilState(app, id, 'finished');
    await sandbox.run(['push', '--quiet', 'origin', 'HEAD:main'], project.path);
    const path = repositoryPath(app, 'storage2', { kind: 'project', containerId: project.id });
    expect(await git(['-C', path, 'rev-parse', 'refs/heads/main'])).toBe(commit);
    await sandbox.run(['fetch', '--quiet'], `${project.path}-during`);
  });

  it('waits for a push that started before the move and includes it', async () => {
    const project = await makeMovableProject(app, owner.user);
    await sandbox.run(['clone', '--quiet', addressOf(project), project.path]);
    const commit = await sandbox.commit(project.path, 'early.txt', 'early');
    const oldOid = await sandbox.run(['rev-parse', 'origin/main'], project.path);
    const pack = await makePack(join(sandbox.path, project.path), commit, oldOid);
    const body = pushBody({ ref: 'refs/heads/main', oldOid, newOid: commit, pack });
    const push = new SlowPush(app, `${owner.user.username}/${project.path}`, owner.token);
    push.write(body.subarray(0, -20));
    const where = { containerId: project.id };
    await eventually(
      async () => (await app.dataSource.manager.countBy(InflightWrite, where)) === 1,
    );
    const id = await schedule(project);
    await eventually(async () => (await moveRow(app, id)).phase === 'draining');
    push.write(body.subarray(-20));
    push.end();
    expect((await push.answer()).body).toContain('ok refs/heads/main');
    await untilState(app, id, 'finished');
    const path = repositoryPath(app, 'storage2', { kind: 'project', containerId: project.id });
    expect(await git(['-C', path, 'rev-parse', 'refs/heads/main'])).toBe(commit);
  });

  it('loses no push that was acknowledged while projects move to and fro', async () => {
    const project = await makeMovableProject(app, owner.user);
    await sandbox.run(['clone', '--quiet', addressOf(project), project.path]);
    const accepted: string[] = [];
    let isMoving = true;
    const pushing = (async () => {
      for (let number = 0; isMoving; number += 1) {
        const commit = await sandbox.commit(project.path, 'count.txt', String(number));
        const { code } = await sandbox.try(['push', 'origin', `HEAD:push-${number}`], project.path);
        if (code === 0) accepted.push(commit);
      }
    })();
    // While it moves there may be no moment in which a push gets in.
    await eventually(() => accepted.length > 0);
    for (const destination of ['storage2', 'default', 'storage2']) {
      const { body } = await admin.api
        .post(`/projects/${project.id}/repository_storage_moves`, {
          destination_storage_name: destination,
        })
        .expect(201);
      await untilState(app, body.id as number, 'finished');
    }
    isMoving = false;
    await pushing;
    const path = repositoryPath(app, 'storage2', { kind: 'project', containerId: project.id });
    for (const commit of accepted) await git(['-C', path, 'cat-file', '-e', commit]);
    await git(['-C', path, 'fsck', '--full']);
  });

  it('moves a project whose repository_storage an administrator changes', async () => {
    const project = await makeMovableProject(app, owner.user);
    const change = { repository_storage: 'storage2' };
    await owner.api.put(`/projects/${project.id}`, { ...change, description: 'x' }).expect(200);
    const moves = `/projects/${project.id}/repository_storage_moves`;
    expect((await admin.api.get(moves)).body).toEqual([]);
    await admin.api.put(`/projects/${project.id}`, change).expect(200);
    const { body } = await admin.api.get(moves);
    expect(body).toMatchObject([{ destination_storage_name: 'storage2' }]);
    await untilState(app, body[0].id as number, 'finished');
    expect(await projectPageContext(app, project.id)).toEqual({
      storage: 'storage2',
      readOnly: false,
    });
  });

  it('refuses to delete a project that is being moved', async () => {
    const project = await makeMovableProject(app, owner.user);
    const hold = holdAt(worker, 'repository.after-verify');
    const id = await schedule(project);
    await hold.reached;
    const refused = await admin.api.delete(`/projects/${project.id}`).expect(409);
    expect(refused.body.message).toContain('repository storage move is in progress');
    hold.release();
    await untilState(app, id, 'finished');
  });

  it('shows on which storage nothing is left', async () => {
    const project = await makeMovableProject(app, owner.user);
    const ids = async (query: string): Promise<number[]> => {
      const { body } = await admin.api.get(`/projects?${query}`).expect(200);
      return (body as { id: number }[]).map(({ id }) => id);
    };
    expect(await ids('repository_storage=default')).toContain(project.id);
    await untilState(app, await schedule(project), 'finished');
    expect(await ids('repository_storage=default')).not.toContain(project.id);
    expect(await ids('repository_storage=storage2')).toContain(project.id);
    const own = await owner.api.get('/projects?repository_storage=default').expect(200);
    const shown = own.body.find(({ id }: { id: number }) => id === project.id);
    expect(shown).toBeDefined();
    expect(shown).not.toHaveProperty('repository_storage');
    const root = app.config.storages['default']?.path ?? '';
    expect(existsSync(join(root, '+svc', 'trash'))).toBe(true);
  });
});
