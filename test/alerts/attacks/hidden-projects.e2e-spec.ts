import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  makeIntegration,
  makeWebhook,
  storedAlerts,
  storedDeliveries,
  type MadeIntegration,
} from '../../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../../support/app.js';
import { eventually } from '../../support/eventually.js';
import { makeGroup, makeProject, type MadeProject } from '../../support/project-factories.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

const WRONG = 'f'.repeat(32);
const FORMS = [
  '/alerts/notify.json',
  '/alerts/notify',
  '/prometheus/alerts/notify.json',
  '/alerts/notify/any/0011aabbccddee00.json',
  '/prometheus/alerts/notify/any/0011aabbccddee00',
];

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Everything that the answer tells, without what differs between any two answers. */
function post(path: string, token: string | null): Promise<Answer> {
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (token !== null) headers['Authorization'] = `Bearer ${token}`;
  return ask(path, { method: 'POST', headers, body: '{"title":"A"}' });
}

async function ask(path: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(app.url + path, { ...init, redirect: 'manual' });
  const own = Object.fromEntries(response.headers);
  for (const name of ['date', 'x-request-id', 'x-svc-meta', 'x-runtime']) delete own[name];
  return { status: response.status, headers: own, body: await response.text() };
}

async function makeUnknown(): Promise<string> {
  const group = await makeGroup(app);
  return `/${group.fullPath}/nope`;
}

async function makeWatched(
  visibility: 'private' | 'internal' | 'public',
): Promise<{ project: MadeProject; path: string; integration: MadeIntegration }> {
  const group = await makeGroup(app, { visibility });
  const project = await makeProject(app, { namespaceId: group.id, visibility });
  const integration = await makeIntegration(app, project);
  return { project, path: `/${project.fullPath}`, integration };
}

describe.each(['private', 'internal'] as const)(
  'a webhook of a project that is %s',
  (visibility) => {
    it('answers strangers exactly as one of a project that does not exist', async () => {
      const { project, path } = await makeWatched(visibility);
      const unknown = await makeUnknown();
      for (const form of FORMS) {
        for (const token of [null, WRONG, '']) {
          const answer = await post(path + form, token);
          expect(answer).toEqual(await post(unknown + form, token));
          expect(answer).toMatchObject({ status: 404, body: '{"error":"404 Not Found"}' });
        }
      }
      expect(await storedAlerts(app, project)).toEqual([]);
    });

    it('is no more there by other methods, nor for bodies that are large or broken', async () => {
      const { path } = await makeWatched(visibility);
      const unknown = await makeUnknown();
      const form = '/alerts/notify.json';
      const large = 'x'.repeat(2 * 1_048_576);
      const asks: RequestInit[] = [
        ...['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'].map((method) => ({ method })),
        { method: 'OPTIONS', headers: { Origin: 'https://a.example' } },
        { method: 'POST', body: large },
        { method: 'POST', body: '{"title":' },
        { method: 'POST', body: 'x', headers: { 'Content-Encoding': 'br' } },
        { method: 'POST', body: 'x', headers: { Authorization: 'Basic Og==' } },
        { method: 'POST', body: 'x', headers: { Cookie: '_svc_session=x' } },
      ];
      for (const init of asks) {
        const hidden = await ask(path + form, init);
        expect(hidden).toEqual(await ask(unknown + form, init));
        if (init.method === 'POST') expect(hidden.status).toBe(404);
      }
    });

    it('tells who knows an identifier that the key is wrong, or the integration off', async () => {
      const { project, path, integration } = await makeWatched(visibility);
      const off = await makeIntegration(app, project, { active: false });
      const named = (identifier: string) => `${path}/alerts/notify/any/${identifier}.json`;
      expect((await post(named(integration.identifier), WRONG)).status).toBe(401);
      expect((await post(named(integration.identifier), null)).status).toBe(401);
      expect((await post(named(off.identifier), WRONG)).status).toBe(403);
      expect((await post(named(off.identifier), null)).status).toBe(403);
    });

    it('tells who knows a key of the project that the address is not right', async () => {
      const { project, path, integration } = await makeWatched(visibility);
      const off = await makeIntegration(app, project, { active: false });
      const unknown = `${path}/alerts/notify/any/0011aabbccddee00.json`;
      expect((await post(unknown, integration.token)).status).toBe(403);
      expect((await post(unknown, off.token)).status).toBe(403);
      expect((await post(`${path}/prometheus/alerts/notify.json`, off.token)).status).toBe(403);
      expect((await post(`${path}/alerts/notify.json`, off.token)).status).toBe(401);
      expect((await post(`${path}/alerts/notify.json`, integration.token)).status).toBe(200);
    });

    it('takes keys of other projects for wrong ones', async () => {
      const { path, integration } = await makeWatched(visibility);
      const other = await makeWebhook(app);
      for (const form of FORMS) {
        expect((await post(path + form, other.integration.token)).status).toBe(404);
        const foreign = `${path}/alerts/notify/any/${other.integration.identifier}.json`;
        expect((await post(foreign, other.integration.token)).status).toBe(404);
      }
      expect((await post(`/${other.project.fullPath}${FORMS[0]}`, integration.token)).status).toBe(
        404,
      );
    });

    it('without any integration is as unknown, as is one that is archived or was moved', async () => {
      const group = await makeGroup(app);
      const bare = await makeProject(app, { namespaceId: group.id, visibility });
      const archived = await makeProject(app, {
        namespaceId: group.id,
        visibility,
        archived: true,
      });
      const { token } = await makeIntegration(app, archived);
      await app.dataSource.query('INSERT INTO route_redirects (path, project_id) VALUES ($1, $2)', [
        `${group.fullPath}/former`,
        bare.id,
      ]);
      const [form = ''] = FORMS;
      expect((await post(`/${bare.fullPath}${form}`, WRONG)).status).toBe(404);
      expect((await post(`/${group.fullPath}/former${form}`, WRONG)).status).toBe(404);
      expect((await post(`/${archived.fullPath}${form}`, WRONG)).status).toBe(404);
      expect((await post(`/${archived.fullPath}${form}`, token)).status).toBe(403);
    });
  },
);

describe('a webhook of a public project', () => {
  it('says what is wrong', async () => {
    const { path } = await makeWatched('public');
    expect((await post(`${path}/alerts/notify.json`, WRONG)).status).toBe(401);
    expect((await post(`${path}/prometheus/alerts/notify.json`, WRONG)).status).toBe(403);
    expect((await post(`${path}/alerts/notify/any/0011aabbccddee00`, null)).status).toBe(403);
  });

  it('says so no more from the moment on at which the project is private', async () => {
    const { project, path, integration } = await makeWatched('public');
    const short = `${path}/alerts/notify.json`;
    expect((await post(short, integration.token)).status).toBe(200);
    expect((await post(short, WRONG)).status).toBe(401);
    await app.dataSource.query('UPDATE projects SET visibility = 0 WHERE id = $1', [project.id]);
    expect((await post(short, WRONG)).status).toBe(404);
  });
});

describe('the deliveries of an integration', () => {
  it('have the calls that were answered as if there was no project', async () => {
    const { path, integration } = await makeWatched('private');
    await post(`${path}/alerts/notify.json`, WRONG);
    await eventually(async () => {
      expect(await storedDeliveries(app, integration)).toHaveLength(1);
    });
    const [row] = await storedDeliveries(app, integration);
    expect(row).toMatchObject({ status: 404, error: 'The key is missing or wrong', calls: 1 });
  });
});
