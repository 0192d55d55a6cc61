import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { makeMember, makeProject, type MadeProject } from '../support/project-factories.js';

let app: TestApp;
let ann: MadeActor;
let eve: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  ann = await makeActor(app);
  eve = await makeActor(app);
});

describe('reports about commits', () => {
  let place: MadeProject;
  let sha: string;
  beforeAll(async () => {
    const files = { 'a.txt': 'a\n' };
    place = await makeProject(app, { namespaceId: ann.user.namespaceId, files });
    const { body } = await ann.api.get(`/projects/${place.id}/repository/commits/main`).expect(200);
    sha = (body as { id: string }).id;
  });

  it.each([
    ['state', ['success']],
    ['state', 'SUCCESS'],
    ['state', { a: 1 }],
    ['state', null],
    ['name', 'x'.repeat(256)],
    ['name', { a: 1 }],
    ['name', 'a\u0000b'],
    ['ref', 'a\u0000b'],
    ['ref', ['main']],
    ['description', 'x'.repeat(256)],
    ['description', '\u0000'],
    ['target_url', 'javascript:alert(1)'],
    ['target_url', ' javascript:alert(1)'],
    ['target_url', 'https://a.example/\r\nX: 1'],
    ['target_url', 'data:text/html,x'],
    ['target_url', '//evil.example'],
    ['target_url', 'https://'],
    ['target_url', `https://a.example/${'x'.repeat(300)}`],
    ['coverage', 'NaN'],
    ['coverage', 'Infinity'],
    ['coverage', '1e999'],
    ['coverage', [1]],
    ['pipeline_id', -1],
    ['pipeline_id', '1e3'],
    ['pipeline_id', {}],
    ['allow_failure', 'perhaps'],
  ])('are refused with %s = %j', async (name, value) => {
    const body = { state: 'pending', [name]: value };
    const { status } = await ann.api.post(`/projects/${place.id}/statuses/${sha}`, body);
    expect([name, value, status]).toEqual([name, value, 400]);
  });

  it('are refused for revisions that are no commit of the project', async () => {
    const names = [
      ...['--output=x', '-h', 'HEAD^{tree}', 'main:a.txt', '@{-1}', 'main@{1.day.ago}', ':/x'],
      ...['0'.repeat(40), 'f'.repeat(64), '..', '%00', 'a'.repeat(3_000), 'main..main', '^main'],
    ];
    for (const name of names) {
      const path = `/projects/${place.id}/statuses/${encodeURIComponent(name)}`;
      const { status } = await ann.api.post(path, { state: 'success' });
      expect([name, status]).toEqual([name, status === 400 ? 400 : 404]);
    }
  });

  it('reach no pipeline of another project or commit', async () => {
    const report = `/projects/${place.id}/statuses/${sha}`;
    const own = await ann.api.post(report, { state: 'running' }).expect(201);
    const files = { 'a.txt': 'a\n' };
    const other = await makeProject(app, { namespaceId: eve.user.namespaceId, files });
    const path = `/projects/${other.id}/statuses/main`;
    const { pipeline_id: id } = own.body as { pipeline_id: number };
    for (const wanted of [id, 999_999_999, Number.MAX_SAFE_INTEGER]) {
      await eve.api.post(path, { state: 'failed', pipeline_id: wanted }).expect(404);
    }
    await eve.api.post(report, { state: 'failed' }).expect(404);
    const { body } = await ann.api.get(`/projects/${place.id}/repository/commits/${sha}/statuses`);
    expect(body).toMatchObject([{ status: 'running' }]);
  });

  it('end in one pipeline with one status of each name when 50 come at once', async () => {
    const files = { 'a.txt': 'a\n' };
    const busy = await makeProject(app, { namespaceId: ann.user.namespaceId, files });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        ann.api.post(`/projects/${busy.id}/statuses/main`, {
          state: 'success',
          name: `n${at % 5}`,
        }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const bodies = answers.map(({ body }) => body as { pipeline_id: number });
    expect(new Set(bodies.map(({ pipeline_id: id }) => id)).size).toBe(1);
    const list = await ann.api.get(`/projects/${busy.id}/repository/commits/main/statuses`);
    expect(list.body).toHaveLength(5);
  });

  it('require the Developer role', async () => {
    for (const role of ['guest', 'reporter'] as const) {
      const actor = await makeActor(app);
      await makeMember(app, { project: place, user: actor.user, role });
      const path = `/projects/${place.id}/statuses/${sha}`;
      await actor.api.post(path, { state: 'success' }).expect(403);
    }
  });
});
