import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import { makeActor, makeToken } from '../support/factories.js';
import { makeMemberOf } from '../support/project-factories.js';
import { changeSettings } from '../support/settings.js';
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

const COLLECTING = {
  active: true,
  project_name: null,
  tracker_external_url: null,
  api_url: null,
  integrated: true,
};
const NO_SETTINGS = { status: 404, body: { message: '404 Error Tracking Setting Not Found' } };

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

async function settings() {
  const place = await makePlace(app);
  const { api: client } = place.maintainer;
  const path = place.path('/settings');
  return {
    ...place,
    client,
    read: () => client.get(path),
    patch: (body: object = {}, query = '') => client.patch(path + query, body),
    put: (body: object = {}, query = '') => client.put(path + query, body),
    keys: async () => (await client.get(place.path('/client_keys'))).body as KeyBody[],
  };
}

describe('GET /projects/:id/error_tracking/settings', () => {
  it('answers all settings in the order of the document', async () => {
    const { patch, read } = await settings();
    await patch({ active: true });
    const response = await read();
    expect(answer(response)).toEqual({ status: 200, body: COLLECTING });
    expect(Object.keys(response.body as object)).toEqual(Object.keys(COLLECTING));
  });

  it('answers 404 where nothing was ever set', async () => {
    const { read } = await settings();
    expect(answer(await read())).toEqual(NO_SETTINGS);
  });

  it('takes the full path of the project, and a slash at the end', async () => {
    const { project, client, patch, path } = await settings();
    await patch({ active: true });
    const byPath = `/projects/${encodeURIComponent(project.fullPath)}/error_tracking/settings`;
    expect((await client.get(byPath)).body).toEqual(COLLECTING);
    expect((await client.get(path('/settings/'))).body).toEqual(COLLECTING);
    expect((await client.patch(path('/settings/?active=false'))).body).toEqual({
      ...COLLECTING,
      active: false,
    });
  });

  it('is for maintainers', async () => {
    const { project, path } = await settings();
    const open = await makePlace(app, { visibility: 'public' });
    const developer = await makeMemberOf(app, project, 'developer');
    const stranger = await makeActor(app);
    const forbidden = problem(403, '403 Forbidden');
    expect(answer(await developer.api.get(path('/settings')))).toEqual(forbidden);
    expect(answer(await stranger.api.get(path('/settings')))).toEqual(
      problem(404, '404 Project Not Found'),
    );
    expect(answer(await stranger.api.get(open.path('/settings')))).toEqual(forbidden);
    for (const place of [path('/settings'), open.path('/settings')]) {
      const nobody = await request(app.url).get(`/api/v4${place}`);
      expect(answer(nobody)).toEqual(problem(401, '401 Unauthorized'));
    }
  });

  it('takes a token that may only read, which may change nothing', async () => {
    const { maintainer, patch, path } = await settings();
    await patch({ active: true });
    const token = await makeToken(app, maintainer.user, { scopes: ['read_api'] });
    const reader = api(app.url, token);
    expect((await reader.get(path('/settings'))).body).toEqual(COLLECTING);
    const refused = await reader.patch(path('/settings'), { active: false });
    expect({ status: refused.status, body: refused.body as unknown }).toMatchObject({
      status: 403,
      body: { error: 'insufficient_scope' },
    });
  });
});

describe('PATCH /projects/:id/error_tracking/settings', () => {
  it('makes the settings where there are none, and a key when errors are collected', async () => {
    const { project, patch, read, keys } = await settings();
    expect(answer(await patch({ active: true }))).toEqual({ status: 200, body: COLLECTING });
    expect((await read()).body).toEqual(COLLECTING);
    const [key, ...more] = await keys();
    expect(more).toEqual([]);
    expect(key).toEqual({
      id: expect.any(Number),
      active: true,
      public_key: expect.stringMatching(/^glet_[0-9a-f]{32}$/),
      tracker_dsn: `http://${key?.public_key}@${new URL(app.url).host}/api/v4/error_tracking/collector/${project.id}`,
    });
  });

  it('makes no key while it is off, and no second one when it is on again', async () => {
    const { patch, keys } = await settings();
    const off = await patch({ active: false, integrated: true });
    expect(answer(off)).toEqual({ status: 200, body: { ...COLLECTING, active: false } });
    expect(await keys()).toEqual([]);
    await patch({ active: true });
    await patch({ active: false });
    await patch({ active: true });
    expect(await keys()).toHaveLength(1);
  });

  it('makes a key when all that there are were switched off', async () => {
    const { project, patch, keys } = await settings();
    await patch({ active: true });
    await app.dataSource.query(
      'UPDATE error_client_keys SET active = false WHERE project_id = $1',
      [project.id],
    );
    await patch({ active: true });
    expect((await keys()).map(({ active }) => active)).toEqual([false, true]);
  });

  it.each(['query', 'form', 'json'])('takes its parameters from the %s', async (place) => {
    const { path, maintainer, patch, read } = await settings();
    await patch({ active: false });
    const call = request(app.url).patch(
      `/api/v4${path('/settings')}${place === 'query' ? '?active=true&integrated=true' : ''}`,
    );
    void call.set('PRIVATE-TOKEN', maintainer.token);
    if (place === 'form') void call.type('form').send({ active: 'true', integrated: 'true' });
    if (place === 'json') void call.send({ active: true, integrated: true });
    expect(answer(await call)).toEqual({ status: 200, body: COLLECTING });
    expect((await read()).body).toEqual(COLLECTING);
  });

  it.each<[string, object, string]>([
    ['without active', {}, 'active is missing'],
    ['with active that is empty', { active: '' }, 'active is empty'],
    ['with active null', { active: null }, 'active is empty'],
    ['with active that is no switch', { active: 'foo' }, 'active is invalid'],
    ['with a list', { active: [true] }, 'active is invalid'],
    [
      'with integrated that is no switch',
      { active: true, integrated: 'maybe' },
      'integrated is invalid',
    ],
  ])('refuses %s', async (_, body, error) => {
    const { patch, read } = await settings();
    const message =
      error === 'active is missing'
        ? '400 (Bad request) "active" not given'
        : `400 (Bad request) ${error}`;
    expect(answer(await patch(body))).toEqual({ status: 400, body: { message, error } });
    expect(answer(await read())).toEqual(NO_SETTINGS);
  });

  it('judges who asks before what is asked', async () => {
    const { project, path } = await settings();
    const developer = await makeMemberOf(app, project, 'developer');
    const stranger = await makeActor(app);
    expect((await developer.api.patch(path('/settings'), {})).status).toBe(403);
    expect((await stranger.api.patch(path('/settings'), {})).status).toBe(404);
    expect((await request(app.url).patch(`/api/v4${path('/settings')}`)).status).toBe(401);
  });

  it('refuses an external tracker that was never set up', async () => {
    const { patch, read, put } = await settings();
    const required = ['is a required field'];
    const refused = { status: 400, body: { message: { api_url: required, token: required } } };
    expect(answer(await patch({ active: true, integrated: false }))).toEqual(refused);
    expect(answer(await put({ active: true, integrated: false }))).toEqual(refused);
    expect(answer(await read())).toEqual(NO_SETTINGS);
    const off = await patch({ active: false, integrated: false });
    expect(answer(off)).toEqual({
      status: 200,
      body: { ...COLLECTING, active: false, integrated: false },
    });
    expect(answer(await patch({ active: true }))).toEqual(refused);
  });

  it('makes one row and one key when two are first', async () => {
    const { patch, keys, read } = await settings();
    const answers = await Promise.all([1, 2, 3, 4].map(() => patch({ active: true })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await keys()).toHaveLength(1);
    expect((await read()).body).toEqual(COLLECTING);
  });

  it('records changes in the audit log, and nothing without a change', async () => {
    const { project, maintainer, patch, keys } = await settings();
    await patch({ active: true });
    await patch({ active: true });
    await patch({ active: false, integrated: false });
    const [key] = await keys();
    const common = { author_id: maintainer.user.id };
    const about = { target_type: 'Project', target_name: project.fullPath };
    expect(await trailOf(app, project)).toEqual([
      {
        ...common,
        ...about,
        action: 'error_tracking_settings_created',
        details: { active: { from: false, to: true } },
      },
      {
        ...common,
        action: 'error_tracking_client_key_created',
        target_type: 'ClientKey',
        target_name: key?.public_key,
        details: {},
      },
      {
        ...common,
        ...about,
        action: 'error_tracking_settings_updated',
        details: { active: { from: true, to: false }, integrated: { from: true, to: false } },
      },
    ]);
  });

  it('is refused when the settings changed since, and in an archived project', async () => {
    const { project, patch, read, client, path } = await settings();
    await patch({ active: true });
    const stale = await client.patch(path('/settings'), { active: false }).set(STALE);
    expect(answer(stale)).toEqual(problem(412, '412 Precondition Failed'));
    await archive(app, project);
    expect(answer(await patch({ active: false }))).toEqual(problem(403, '403 Forbidden'));
    expect((await read()).body).toEqual(COLLECTING);
  });
});

describe('PUT /projects/:id/error_tracking/settings', () => {
  it('makes the settings and a key, from the query alone', async () => {
    const { client, path, keys } = await settings();
    const response = await client.put(path('/settings?active=true&integrated=true'));
    expect(answer(response)).toEqual({ status: 200, body: COLLECTING });
    expect(await keys()).toHaveLength(1);
  });

  it.each<[string, object, string]>([
    ['integrated', { active: true }, 'integrated'],
    ['active', { integrated: true }, 'active'],
  ])('needs %s', async (_, body, name) => {
    const { put } = await settings();
    const message = `400 (Bad request) "${name}" not given`;
    const error = `${name} is missing`;
    expect(answer(await put(body))).toEqual({ status: 400, body: { message, error } });
  });

  it('distinguishes an empty switch from a missing one', async () => {
    const { put } = await settings();
    const { body } = await put({ active: '', integrated: '' });
    expect(body).toMatchObject({ error: 'active is empty, integrated is empty' });
  });
});

describe('an instance that collects no errors', () => {
  it('refuses PUT, shows integrated as false and takes PATCH', async () => {
    const { patch, put, read, client, path } = await settings();
    await changeSettings(app, { error_tracking_integrated_enabled: false });
    try {
      const shown = { ...COLLECTING, integrated: false };
      expect(answer(await patch({ active: true }))).toEqual({ status: 200, body: shown });
      expect((await read()).body).toEqual(shown);
      expect(answer(await put({ active: true, integrated: true }))).toEqual(
        problem(404, '404 Not Found'),
      );
      expect((await client.put(path('/settings'), { active: true })).status).toBe(400);
    } finally {
      await changeSettings(app, { error_tracking_integrated_enabled: true });
    }
    expect((await read()).body).toEqual(COLLECTING);
  });
});

describe('a project that is deleted', () => {
  it('takes its settings and keys along', async () => {
    const { project } = await makeCollecting(app);
    await app.dataSource.query('DELETE FROM projects WHERE id = $1', [project.id]);
    const left = await app.dataSource.query<unknown[]>(
      `SELECT project_id FROM error_tracking_settings WHERE project_id = $1
       UNION ALL SELECT project_id FROM error_client_keys WHERE project_id = $1`,
      [project.id],
    );
    expect(left).toEqual([]);
  });
});
