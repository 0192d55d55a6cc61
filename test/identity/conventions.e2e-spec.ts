import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeAdmin, unique, type MadeActor } from '../support/factories.js';
import { makeProject } from '../support/project-factories.js';

const READABLE = 'OPTIONS, GET, HEAD';

let app: TestApp;
let actor: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  actor = await makeActor(app);
});

function sendJson(request: Test, text: string): Test {
  return request.set('Content-Type', 'application/json').send(text);
}

describe('routes', () => {
  it('answer 405 to another method than theirs and name theirs', async () => {
    const { body, headers } = await actor.api.delete('/version').expect(405);
    expect(body).toEqual({ error: '405 Not Allowed' });
    expect(headers['allow']).toBe(READABLE);
  });

  it('answer OPTIONS with 204 and their methods, also anonymously', async () => {
    const { text, headers } = await api(app.url).options('/version').expect(204);
    expect([text, headers['allow']]).toEqual(['', READABLE]);
  });

  it.each([
    '/snippets/all',
    '/snippets/public',
    '/groups/1/members/all',
    '/projects/1/members/all',
  ])('at %s allow only the methods of that path, not of the path with an ID', async (path) => {
    for (const request of [actor.api.put(path, {}), actor.api.delete(path)]) {
      const { body, headers } = await request.expect(405);
      expect([body, headers['allow']]).toEqual([{ error: '405 Not Allowed' }, READABLE]);
    }
    const { headers } = await api(app.url).options(path).expect(204);
    expect(headers['allow']).toBe(READABLE);
  });

  it('take a path only with its slash encoded', async () => {
    const project = await makeProject(app, { namespaceId: actor.user.namespaceId });
    await actor.api.get(`/projects/${encodeURIComponent(project.fullPath)}`).expect(200);
    const { body } = await actor.api.get(`/projects/${project.fullPath}`).expect(404);
    expect(body).toEqual({ error: '404 Not Found' });
    const unknown = await actor.api.get('/projects/42%2Fx').expect(404);
    expect(unknown.body).toEqual({ message: '404 Project Not Found' });
  });
});

describe('request bodies', () => {
  it('that are no JSON are 400', async () => {
    const { body } = await sendJson(actor.api.put('/projects/1'), '{bad').expect(400);
    expect(body).toMatchObject({
      error: 'body is not valid JSON (line 1, column 2)',
    });
  });

  it.each(['[{"name":"x"}]', '"name"', 'null', '7'])(
    'that are JSON but no object, such as %s, hold no parameters',
    async (text) => {
      const { body } = await sendJson(actor.api.post('/projects'), text).expect(400);
      const error = 'name, path are missing, at least one parameter must be provided';
      expect(body).toEqual({ message: `400 (Bad request) ${error}`, error });
    },
  );
});

describe('parameters', () => {
  it('that are missing are named in the order in which they are declared', async () => {
    const admin = await makeAdmin(app);
    const path = `/users/${actor.user.id}/personal_access_tokens`;
    const { body } = await admin.api.post(path, {}).expect(400);
    expect(body).toEqual({
      message: '400 (Bad request) "name" not given, "scopes" not given',
      error: 'name is missing, scopes is missing',
    });
  });

  it('are valid in exact case only', async () => {
    const { body } = await actor.api.get('/projects?visibility=Public').expect(400);
    expect(body).toMatchObject({ error: 'visibility does not have a valid value' });
  });

  it('with the offset of a time zone need its plus encoded', async () => {
    const time = '2020-01-01T00:00:00+02:00';
    const list = `/personal_access_tokens?created_after=`;
    await actor.api.get(`${list}${encodeURIComponent(time)}`).expect(200);
    const { body } = await actor.api.get(`${list}${time}`).expect(400);
    expect(body).toMatchObject({ error: 'created_after is invalid' });
  });
});

describe('conditions', () => {
  it('of a client that has the answer already, by fetch or otherwise, are met with 304', async () => {
    const first = await actor.api.get('/version').expect(200);
    const tag = String(first.headers['etag']);
    for (const condition of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) {
      const again = await actor.api.get('/version').set('If-None-Match', condition).expect(304);
      expect(again.text).toBe('');
    }
    // fetch adds Cache-Control: no-cache to conditions of the caller.
    const headers = { 'PRIVATE-TOKEN': actor.token, 'If-None-Match': tag };
    const fetched = await fetch(`${app.url}/api/v4/version`, { headers });
    expect([fetched.status, await fetched.text()]).toEqual([304, '']);
    await actor.api.get('/version').set('If-None-Match', '"other"').expect(200);
  });

  it('on a time that is no date are ignored', async () => {
    const name = unique('Conditional');
    const { body } = await actor.api.post('/projects', { name }).expect(201);
    const path = `/projects/${(body as { id: number }).id}`;
    const remove = (time: string): Test => actor.api.delete(path).set('If-Unmodified-Since', time);
    const stale = await remove('Wed, 01 Jan 2020 00:00:00 GMT').expect(412);
    expect(stale.body).toEqual({ message: '412 Precondition Failed' });
    await remove('yesterday').expect(202, { message: '202 Accepted' });
  });
});
