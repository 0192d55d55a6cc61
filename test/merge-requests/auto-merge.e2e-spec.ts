import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MergeRequest } from '../../src/code/merge-requests/merge-request.entity.js';
import { DueMerges } from '../../src/code/merge-requests/worker/due-merges.service.js';
import { NOTIFICATION_KINDS } from '../../src/core/activity/notifications.repository.js';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { User } from '../../src/identity/users/user.entity.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import {
  commitOn,
  gitIn,
  mergeRequestEvents,
  mergeRequestNotes,
  type MergeRequestBody,
  openMergeRequest,
  tipOf,
} from '../support/merge-request-factories.js';
import { makeMemberOf, makeProject, type MadeProject } from '../support/project-factories.js';
import { startTestWorker } from '../support/worker.js';

const MERGED = 7;
const WAIT = { merge_when_pipeline_succeeds: true };

let app: OwnTestApp;
let owner: MadeActor;
let merger: MadeActor;
let project: MadeProject;
let request: MergeRequestBody;
let path: string;

beforeAll(async () => {
  app = await startTestApp();
  owner = await makeActor(app);
});
beforeEach(async () => {
  const { namespaceId } = owner.user;
  project = await makeProject(app, { namespaceId, files: { 'a.txt': 'one\n' } });
  merger = await makeMemberOf(app, project, 'maintainer');
  await push({ 'b.txt': 'two\n' }, 'main');
  request = await openMergeRequest(owner.api, project, { source_branch: 'feature' });
  path = `/projects/${project.id}/merge_requests/${request.iid}`;
});
afterAll(() => app.close());

const push = (files: Record<string, string>, from?: string): Promise<string> =>
  commitOn(app, project, {
    branch: 'feature',
    user: owner.user,
    files,
    ...(from !== undefined && { from }),
  });

async function report(state: string, more: object = {}): Promise<void> {
  const head = await tipOf(app, project, 'feature');
  const url = `/projects/${project.id}/statuses/${head}`;
  await owner.api.post(url, { state, ...more }).expect(201);
}

const wait = (body: object = WAIT, by = merger) => by.api.put(`${path}/merge`, body);
const show = async (): Promise<MergeRequestBody> =>
  (await owner.api.get(path).expect(200)).body as MergeRequestBody;
const notes = () => mergeRequestNotes(app, request.id);
const enabled = () =>
  `enabled an automatic merge when the pipeline for ${request.sha.slice(0, 8)} succeeds`;

async function notificationKinds(): Promise<number[]> {
  const rows: { kind: number }[] = await app.dataSource.query(
    'SELECT kind FROM notifications WHERE target_type = 2 AND target_id = $1 ORDER BY id',
    [request.id],
  );
  return rows.map(({ kind }) => kind);
}

async function isDue(): Promise<boolean> {
  const found = await app.dataSource.getRepository(MergeRequest).findOneBy({ id: request.id });
  return found?.autoMergeDue === true;
}

describe('PUT …/merge with auto_merge', () => {
  it('waits for a pipeline that runs, with a note and a notification', async () => {
    await report('pending');
    const { status, body } = await wait();
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        state: 'opened',
        merge_when_pipeline_succeeds: true,
        merged_by: null,
        merge_user: expect.objectContaining({ id: merger.user.id }),
        head_pipeline: expect.objectContaining({ status: 'pending', ref: 'feature' }),
      }),
    ]);
    expect(await notes()).toEqual([enabled()]);
    const told = NOTIFICATION_KINDS.merge_when_pipeline_succeeds;
    expect((await notificationKinds()).at(-1)).toBe(told);
    expect((await wait({ auto_merge: true })).status).toBe(200);
    expect((await notificationKinds()).filter((kind) => kind === told)).toHaveLength(1);
    expect(await notes()).toEqual([enabled()]);
  });

  it.each([['success'], ['skipped']])(
    'merges at once when the pipeline has ended: %s',
    async (state) => {
      await report(state);
      const { status, body } = await wait();
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({ state: 'merged', merge_when_pipeline_succeeds: false }),
      ]);
    },
  );

  it.each([['failed'], [null]])('neither merges nor waits with the pipeline %s', async (state) => {
    if (state !== null) await report(state);
    const { status, body } = await wait();
    expect([status, body]).toEqual([405, { message: '405 Method Not Allowed' }]);
    expect((await show()).state).toBe('opened');
  });

  it('refuses what cannot be merged either', async () => {
    await report('running');
    const developer = await makeMemberOf(app, project, 'developer');
    expect((await wait(WAIT, developer)).status).toBe(401);
    const elsewhere = await wait({ ...WAIT, sha: '0'.repeat(40) });
    expect([elsewhere.status, elsewhere.body]).toEqual([
      409,
      { message: `SHA does not match HEAD of source branch: ${request.sha}` },
    ]);
    await owner.api.put(path, { title: 'Draft: no' }).expect(200);
    expect((await wait()).status).toBe(405);
    expect((await show()).merge_when_pipeline_succeeds).toBe(false);
  });

  it('is taken back by a new head, by closing, and by another target', async () => {
    await report('running');
    await wait();
    await push({ 'c.txt': 'three\n' });
    expect((await show()).merge_when_pipeline_succeeds).toBe(false);
    expect((await notes()).at(-1)).toBe(
      'aborted the automatic merge because the source branch was updated',
    );
    await report('running');
    await wait();
    await owner.api.put(path, { state_event: 'close' }).expect(200);
    await owner.api.put(path, { state_event: 'reopen' }).expect(200);
    expect((await show()).merge_when_pipeline_succeeds).toBe(false);
    await commitOn(app, project, {
      branch: 'release',
      from: 'main',
      user: owner.user,
      files: { 'd.txt': 'four\n' },
    });
    await wait();
    await owner.api.put(path, { target_branch: 'release' }).expect(200);
    await report('success');
    expect(await isDue()).toBe(false);
  });
});

describe('POST …/cancel_merge_when_pipeline_succeeds', () => {
  it('takes the wish back: for its maintainers and its author', async () => {
    const cancel = (by: MadeActor) =>
      by.api.post(`${path}/cancel_merge_when_pipeline_succeeds`, {});
    await report('running');
    await wait();
    const developer = await makeMemberOf(app, project, 'developer');
    expect((await cancel(developer)).status).toBe(401);
    const { status, body } = await cancel(owner);
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ merge_when_pipeline_succeeds: false, merge_user: null }),
    ]);
    expect((await notes()).at(-1)).toBe('canceled the automatic merge');
    const again = await cancel(owner);
    expect([again.status, again.body]).toEqual([
      406,
      { message: "Can't cancel the automatic merge" },
    ]);
    await report('success');
    expect(await isDue()).toBe(false);
    await owner.api.put(`${path}/merge`).expect(200);
    expect((await cancel(owner)).status).toBe(405);
  });
});

describe('the worker of auto-merges', () => {
  let worker: INestApplicationContext | null = null;

  const start = async (): Promise<void> => {
    worker = await startTestWorker(app);
  };
  const stop = async (): Promise<void> => {
    await worker?.close();
    worker = null;
  };
  const noteOf = (note: string) => eventually(async () => (await notes()).includes(note));

  it('merges as who asked for it when the pipeline succeeds', async () => {
    await start();
    try {
      await report('running');
      const wish = { merge_commit_message: 'Own words', should_remove_source_branch: true };
      await wait({ ...WAIT, ...wish });
      await report('success');
      await eventually(async () => (await show()).state === 'merged');
      expect(await show()).toMatchObject({
        merge_when_pipeline_succeeds: true,
        merge_user: expect.objectContaining({ id: merger.user.id }),
        merge_commit_sha: await tipOf(app, project, 'main'),
      });
      expect(await gitIn(app, project, ['log', '-1', '--format=%B%an', 'main'])).toBe(
        `Own words\n${merger.user.name}`,
      );
      expect(await tipOf(app, project, 'feature')).toBeNull();
      expect((await mergeRequestEvents(app, request.id)).at(-1)).toEqual({
        action: MERGED,
        author_id: merger.user.id,
      });
    } finally {
      await stop();
    }
  });

  it('finds what became due while there was none, and does it once with two of them', async () => {
    await report('running');
    await wait();
    await report('success', { name: 'default' });
    expect(await isDue()).toBe(true);
    const workers = await Promise.all([startTestWorker(app), startTestWorker(app)]);
    try {
      await eventually(async () => (await show()).state === 'merged');
      expect(await notes()).toEqual([enabled(), 'merged']);
    } finally {
      await Promise.all(workers.map((one) => one.close()));
    }
  });

  it('waits on through a failure that is mended', async () => {
    await report('running');
    await wait();
    await report('failed');
    expect((await show()).merge_when_pipeline_succeeds).toBe(true);
    expect(await isDue()).toBe(false);
    await report('success');
    expect(await isDue()).toBe(true);
  });

  it('is cancelled, with a note, when it can no longer be merged', async () => {
    await report('running');
    await wait();
    await commitOn(app, project, { branch: 'main', user: owner.user, files: { 'b.txt': 'no\n' } });
    await report('success');
    await start();
    try {
      await noteOf(
        'aborted the automatic merge because branch cannot be merged: there are conflicts',
      );
      expect(await show()).toMatchObject({ state: 'opened', merge_when_pipeline_succeeds: false });
    } finally {
      await stop();
    }
  });

  it('asks for the rights of now', async () => {
    await report('running');
    await wait();
    await report('success');
    const blocked = { state: 'blocked' } as const;
    await app.dataSource.getRepository(User).update({ id: merger.user.id }, blocked);
    await start();
    try {
      await noteOf(
        'aborted the automatic merge because the user who enabled it can no longer merge',
      );
      expect((await show()).state).toBe('opened');
    } finally {
      await stop();
    }
  });

  it('merges later when the repository is being moved', async () => {
    await report('running');
    await wait();
    await report('success');
    const projects = app.dataSource.getRepository(Project);
    await projects.update({ id: project.id }, { repositoryReadOnly: true });
    await start();
    try {
      await worker?.get(DueMerges).run(() => false);
      // The worker can be at it by itself, too; meanwhile it is not due.
      await eventually(isDue);
      await projects.update({ id: project.id }, { repositoryReadOnly: false });
      await worker?.get(DueMerges).run(() => false);
      await eventually(async () => (await show()).state === 'merged');
    } finally {
      await stop();
    }
  });
});
