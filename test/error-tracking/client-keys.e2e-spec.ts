import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor } from '../support/factories.js';
import { makeMemberOf } from '../support/project-factories.js';
import {
  answer,
  archive,
  makeCollecting,
  makePlace,
  problem,
  STALE,
  trailOf,
  type KeyBody,
} from './settings-place.js';

const NOT_FOUND = { status: 404, body: { message: '404 Not found' } };

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

async function keys() {
  const place = await makePlace(app);
  const { api } = place.maintainer;
  const path = place.path('/client_keys');
  return {
    ...place,
    api,
    list: async () => (await api.get(path)).body as KeyBody[],
    create: async () => (await api.post(path)).body as KeyBody,
    remove: (rest: string, body?: object) => api.delete(path + rest, body),
  };
}

describe('POST /projects/:id/error_tracking/client_keys', () => {
  it('answers 201 with the new key and its address, also without settings', async () => {
    const { project, api, path } = await keys();
    const response = await api.post(path('/client_keys'), { active: false, public_key: 'mine' });
    const { id, public_key: key } = response.body as KeyBody;
    expect(answer(response)).toEqual({
      status: 201,
      body: {
        id: expect.any(Number),
        active: true,
        public_key: expect.stringMatching(/^glet_[0-9a-f]{32}$/),
        tracker_dsn: `http://${key}@${new URL(app.url).host}/api/v4/error_tracking/collector/${project.id}`,
      },
    });
    expect(id).toBeGreaterThan(0);
    expect((await api.get(path('/settings'))).status).toBe(404);
  });

  it('makes at most 50, however many ask at once', async () => {
    const { project, api, path, list } = await keys();
    await app.dataSource.query(
      `INSERT INTO error_client_keys (project_id, public_key)
       SELECT $1::bigint, 'glet_' || md5($1::bigint || ' ' || n) FROM generate_series(1, 48) AS n`,
      [project.id],
    );
    const answers = await Promise.all([1, 2, 3, 4].map(() => api.post(path('/client_keys'))));
    const [refused, ...others] = answers.filter(({ status }) => status !== 201);
    expect(others).toHaveLength(1);
    expect(refused && answer(refused)).toEqual({
      status: 400,
      body: { message: { base: ['maximum of 50 client keys reached'] } },
    });
    const { headers } = await api.get(path('/client_keys'));
    expect(headers['x-total']).toBe('50');
    expect(await list()).toHaveLength(20);
  });
});

describe('GET /projects/:id/error_tracking/client_keys', () => {
  it('lists the oldest first', async () => {
    const { create, list } = await keys();
    const made = [await create(), await create(), await create()];
    expect(await list()).toEqual(made);
  });

  it('is empty where there are none, with the headers of pages', async () => {
    const { api, path } = await keys();
    const response = await api.get(path('/client_keys'));
    expect(answer(response)).toEqual({ status: 200, body: [] });
    expect(response.headers).toMatchObject({ 'x-total': '0', 'x-page': '1', 'x-next-page': '' });
  });

  it('is paged', async () => {
    const { create, api, path } = await keys();
    const [first] = [await create(), await create()];
    const response = await api.get(path('/client_keys?per_page=1'));
    expect(answer(response)).toEqual({ status: 200, body: [first] });
    expect(response.headers).toMatchObject({
      'x-total': '2',
      'x-total-pages': '2',
      'x-page': '1',
      'x-per-page': '1',
      'x-next-page': '2',
      'x-prev-page': '',
      link: expect.stringContaining('rel="next"'),
    });
  });

  it('shows inactive keys, too', async () => {
    const { create, list } = await keys();
    const key = await create();
    await app.dataSource.query('UPDATE error_client_keys SET active = false WHERE id = $1', [
      key.id,
    ]);
    expect(await list()).toEqual([{ ...key, active: false }]);
  });

  it('is for maintainers', async () => {
    const { project, path } = await keys();
    const open = await makePlace(app, { visibility: 'public' });
    const developer = await makeMemberOf(app, project, 'developer');
    const stranger = await makeActor(app);
    const forbidden = problem(403, '403 Forbidden');
    expect(answer(await developer.api.get(path('/client_keys')))).toEqual(forbidden);
    expect(answer(await developer.api.post(path('/client_keys')))).toEqual(forbidden);
    expect(answer(await stranger.api.get(open.path('/client_keys')))).toEqual(forbidden);
    expect(answer(await stranger.api.get(path('/client_keys')))).toEqual(
      problem(404, '404 Project Not Found'),
    );
    const nobody = await request(app.url).get(`/api/v4${open.path('/client_keys')}`);
    expect(answer(nobody)).toEqual(problem(401, '401 Unauthorized'));
  });
});

describe('DELETE /projects/:id/error_tracking/client_keys/:key_id', () => {
  it('answers 200 with the key that is gone, then 404', async () => {
    const { project, maintainer, create, remove, list } = await keys();
    const [kept, key] = [await create(), await create()];
    expect(answer(await remove(`/${key.id}`))).toEqual({ status: 200, body: key });
    expect(answer(await remove(`/${key.id}`))).toEqual(NOT_FOUND);
    expect(await list()).toEqual([kept]);
    const entries = await trailOf(app, project);
    expect(entries.at(-1)).toEqual({
      author_id: maintainer.user.id,
      action: 'error_tracking_client_key_deleted',
      target_type: 'ClientKey',
      target_name: key.public_key,
      details: {},
    });
    expect(entries).toHaveLength(3);
  });

  it.each<[string, (id: number) => [string, object?]]>([
    ['the query', (id) => [`?key_id=${id}`]],
    ['the body', (id) => ['', { key_id: id }]],
  ])('takes the id from %s', async (_, where) => {
    const { create, remove, list } = await keys();
    const key = await create();
    expect(answer(await remove(...where(key.id)))).toEqual({ status: 200, body: key });
    expect(await list()).toEqual([]);
  });

  it.each(['/0', '/-1', '/abc', '/1.5', '/99999999999999999999', '?key_id=abc', '?key_id=0'])(
    'answers 404 for %s',
    async (rest) => {
      const { remove } = await keys();
      expect(answer(await remove(rest))).toEqual(NOT_FOUND);
    },
  );

  it.each(['', '?key_id='])('needs an id, not %j', async (rest) => {
    const { remove } = await keys();
    expect(answer(await remove(rest))).toEqual({
      status: 400,
      body: { message: '400 (Bad request) "key_id" not given', error: 'key_id is missing' },
    });
  });

  it('leaves keys of other projects alone', async () => {
    const { remove } = await keys();
    const other = await makeCollecting(app);
    expect(answer(await remove(`/${other.key.id}`))).toEqual(NOT_FOUND);
    const { body } = await other.maintainer.api.get(other.path('/client_keys'));
    expect(body).toEqual([other.key]);
  });

  it('is refused for a key that is newer than the condition, and in an archived project', async () => {
    const { project, create, remove, list } = await keys();
    const key = await create();
    const stale = await remove(`/${key.id}`).set(STALE);
    expect(answer(stale)).toEqual(problem(412, '412 Precondition Failed'));
    await archive(app, project);
    expect(answer(await remove(`/${key.id}`))).toEqual(problem(403, '403 Forbidden'));
    expect(await list()).toEqual([key]);
  });
});
