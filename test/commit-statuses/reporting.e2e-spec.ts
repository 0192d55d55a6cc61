import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { moveBranches } from '../support/merge-request-factories.js';
import { makeMemberOf } from '../support/project-factories.js';
import { makeStatusPlace, report, type StatusBody, type StatusPlace } from './place.js';

const UNKNOWN = '1234567890123456789012345678901234567890';

let app: TestApp;
let owner: MadeActor;
let place: StatusPlace;
let path: string;

beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
});
beforeEach(async () => {
  place = await makeStatusPlace(app, owner);
  path = `/projects/${place.project.id}/statuses/${place.sha}`;
});

const listed = async (query = ''): Promise<StatusBody[]> => {
  const { project, sha } = place;
  const list = `/projects/${project.id}/repository/commits/${sha}/statuses${query}`;
  return (await owner.api.get(list).expect(200)).body as StatusBody[];
};
const namesOf = (statuses: StatusBody[]): unknown[] =>
  statuses.map(({ name, status }) => `${String(name)} ${status}`);

describe('POST /projects/:id/statuses/:sha', () => {
  it('answers the whole status, which is also in the list', async () => {
    const developer = await makeMemberOf(app, place.project, 'developer');
    const { body } = await developer.api
      .post(path, {
        state: 'success',
        ref: 'main',
        name: 'build',
        context: 'left aside',
        target_url: 'https://ci.example.com/builds/1',
        description: 'All went well',
        coverage: '87.5',
      })
      .expect(201);
    const { id, username, name } = developer.user;
    expect(body).toEqual({
      id: expect.any(Number),
      sha: place.sha,
      ref: 'main',
      status: 'success',
      name: 'build',
      target_url: 'https://ci.example.com/builds/1',
      description: 'All went well',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      started_at: null,
      finished_at: expect.stringMatching(/^\d{4}-.*Z$/),
      allow_failure: false,
      coverage: 87.5,
      author: {
        id,
        username,
        name,
        state: 'active',
        locked: false,
        avatar_url: null,
        web_url: expect.stringContaining(username),
      },
      pipeline_id: expect.any(Number),
    });
    expect(await listed()).toEqual([body]);
  });

  it('updates the open status of the name, and creates a new one after its end', async () => {
    const first = await report(place, { state: 'pending', description: 'Soon' });
    const running = await report(place, { state: 'running', coverage: 1 });
    const ended = await report(place, { state: 'failed' });
    expect([first.name, running.id, ended.id]).toEqual(['default', first.id, first.id]);
    expect(ended).toMatchObject({ description: 'Soon', coverage: 1 });
    expect(ended.started_at).toEqual(running.started_at);
    const again = await report(place, { state: 'running' });
    expect(again.id).toBeGreaterThan(first.id);
    expect(again.pipeline_id).toBe(first.pipeline_id);
    expect(namesOf(await listed())).toEqual(['default running']);
    expect(namesOf(await listed('?all=true'))).toEqual(['default failed', 'default running']);
  });

  it('refuses a state that cannot follow, in the words of v4', async () => {
    await report(place, { state: 'running' });
    for (const [state, step] of [
      ['running', 'run'],
      ['pending', 'enqueue'],
      ['skipped', 'skip'],
    ]) {
      const { status, body } = await owner.api.post(path, { state });
      expect([status, body]).toEqual([
        400,
        {
          message: `Cannot transition status via :${step} from :running (Reason(s): Status cannot transition via "${step}")`,
        },
      ]);
    }
  });

  it('finds the commit by its short ID and its branch, and statuses by context', async () => {
    const base = `/projects/${place.project.id}/statuses`;
    await owner.api.post(`${base}/${place.sha.slice(0, 9)}`, { state: 'pending' }).expect(201);
    await owner.api.post(`${base}/main`, { state: 'pending', context: 'lint' }).expect(201);
    expect(namesOf(await listed())).toEqual(['default pending', 'lint pending']);
  });

  it('keeps a pipeline for each ref, and takes the newest for a report without one', async () => {
    const { user } = owner;
    await moveBranches(app, place.project, { user, branches: { release: place.sha } });
    const main = await report(place, { state: 'pending' });
    const release = await report(place, { state: 'pending', ref: 'refs/heads/release' });
    const lint = await report(place, { state: 'pending', name: 'lint' });
    expect([main.ref, release.ref, lint.ref]).toEqual(['main', 'release', 'release']);
    const chosen = { state: 'running', pipeline_id: main.pipeline_id };
    expect((await report(place, chosen)).id).toBe(main.id);
    expect(namesOf(await listed('?ref=release&name=lint'))).toEqual(['lint pending']);
    const ofMain = await listed(`?pipeline_id=${main.pipeline_id}`);
    expect(namesOf(ofMain)).toEqual(['default running']);
    const sorted = await listed('?order_by=pipeline_id&sort=desc&per_page=2');
    expect(sorted.map(({ id }) => id)).toEqual([lint.id, release.id]);
    const foreign = { state: 'failed', ref: 'main', pipeline_id: release.pipeline_id };
    const { body } = await owner.api.post(path, foreign).expect(404);
    expect(body).toEqual({ message: '404 Pipeline Not Found' });
  });

  it('takes reports of a commit whose branch is gone', async () => {
    const { project, sha } = place;
    const { user } = owner;
    await moveBranches(app, project, { user, branches: { gone: sha } });
    await report(place, { state: 'pending', ref: 'gone' });
    await moveBranches(app, project, { user, branches: { gone: null } });
    expect((await report(place, { state: 'success', ref: 'gone' })).ref).toBe('gone');
  });

  it.each([
    [{}, { message: '400 (Bad request) "state" not given', error: 'state is missing' }],
    [{ state: 'done' }, expect.objectContaining({ error: 'state does not have a valid value' })],
    [
      { state: 'failed', coverage: 'most' },
      expect.objectContaining({ error: 'coverage is invalid' }),
    ],
    [
      { state: 'failed', target_url: 'javascript:alert(1)' },
      { message: { target_url: ['is blocked: Only allowed schemes are http, https'] } },
    ],
    [
      { state: 'failed', description: 'd'.repeat(256) },
      { message: { description: ['is too long (maximum is 255 characters)'] } },
    ],
  ])('refuses %j', async (given, expected) => {
    const { status, body } = await owner.api.post(path, given);
    expect([status, body]).toEqual([400, expected]);
    expect(await listed()).toEqual([]);
  });

  it('answers 404 for commits that there are not', async () => {
    const base = `/projects/${place.project.id}`;
    const message = '404 Commit Not Found';
    const reported = owner.api.post(`${base}/statuses/${UNKNOWN}`, { state: 'failed' });
    expect((await reported.expect(404)).body).toEqual({ message });
    const read = owner.api.get(`${base}/repository/commits/${UNKNOWN}/statuses`);
    expect((await read.expect(404)).body).toEqual({ message });
  });

  it('is for Developers, and for no one in an archived project', async () => {
    const { project } = place;
    const reporter = await makeMemberOf(app, project, 'reporter');
    const stranger = await makeActor(app);
    await reporter.api.post(path, { state: 'failed' }).expect(403);
    await stranger.api.post(path, { state: 'failed' }).expect(404);
    await api(app.url).post(path, { state: 'failed' }).expect(401);
    await app.dataSource.getRepository(Project).update({ id: project.id }, { archived: true });
    await owner.api.post(path, { state: 'failed' }).expect(403);
  });
});

describe('GET /projects/:id/repository/commits/:sha', () => {
  it('shows the newest pipeline', async () => {
    const { project, sha } = place;
    const show = `/projects/${project.id}/repository/commits/main`;
    const before = await owner.api.get(show).expect(200);
    expect(before.body).toMatchObject({ status: null, last_pipeline: null });
    const { pipeline_id: id } = await report(place, { state: 'running' });
    const { body } = await owner.api.get(show).expect(200);
    const { status, last_pipeline: last } = body as Record<string, unknown>;
    expect([status, last]).toEqual([
      'running',
      {
        id,
        project_id: project.id,
        sha,
        ref: 'main',
        status: 'running',
        source: 'external',
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
        web_url: `${app.config.baseUrl}/${project.fullPath}/-/commit/${sha}`,
      },
    ]);
  });
});
