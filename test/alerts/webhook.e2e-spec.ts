import { beforeAll, describe, expect, it } from '@jest/globals';
import { integrationCipher } from '../../src/alerts/alert-integrations.repository.js';
import { IntegrationLookup } from '../../src/alerts/webhook/integration-lookup.service.js';
import {
  makeIntegration,
  makeWebhook,
  postAlert,
  storedAlerts,
  type MadeIntegration,
} from '../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor } from '../support/factories.js';
import { makeGroup, makeProject } from '../support/project-factories.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

interface Answer {
  status: number;
  body: unknown;
}

async function answerOf(response: Response): Promise<Answer> {
  return { status: response.status, body: await response.json() };
}

/** Posts `{"title":"A"}` with exactly these headers. */
async function post(url: string, headers: Record<string, string>): Promise<Answer> {
  return answerOf(await fetch(url, { method: 'POST', headers, body: '{"title":"A"}' }));
}

const bearer = ({ token }: Pick<MadeIntegration, 'token'>) => ({
  Authorization: `Bearer ${token}`,
});
const basic = (pair: string) => ({
  Authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
});

const TOUCHED = { status: 200, body: [{ iid: 1, title: 'A' }] };
const UNAUTHORIZED = { status: 401, body: { message: '401 Unauthorized' } };
const FORBIDDEN = { status: 403, body: { message: '403 Forbidden' } };
const NOT_FOUND = { status: 404, body: { error: '404 Not Found' } };

describe('the key of a webhook', () => {
  it('may be a bearer token or the password of any user, the scheme in any case', async () => {
    const { integration } = await makeWebhook(app);
    const { token, url } = integration;
    const accepted = [
      bearer(integration),
      { authorization: `bearer ${token}` },
      basic(`:${token}`),
      basic(`any:${token}`),
      { Authorization: basic(`:${token}`).Authorization.replace('Basic', 'BASIC') },
    ];
    for (const headers of accepted) expect(await post(url, headers)).toEqual(TOUCHED);
  });

  it('counts nowhere else', async () => {
    const { project, integration } = await makeWebhook(app);
    const { token, url } = integration;
    const { token: personal } = await makeActor(app);
    expect(await post(url, {})).toEqual(UNAUTHORIZED);
    expect(await post(`${url}?token=${token}`, {})).toEqual(UNAUTHORIZED);
    const refused = [
      { Authorization: token },
      { 'PRIVATE-TOKEN': token },
      { Authorization: `Bearer ${'f'.repeat(32)}` },
      { Authorization: `Bearer ${token}0` },
      { Authorization: `Bearer ${personal}` },
      basic(`${token}:`),
      basic(token),
    ];
    for (const headers of refused) expect(await post(url, headers)).toEqual(UNAUTHORIZED);
    expect(await storedAlerts(app, project)).toEqual([]);
  });

  it('is asked for before the body is looked at', async () => {
    const { integration } = await makeWebhook(app);
    expect((await postAlert(integration.url, 'wrong', '{"title":')).status).toBe(401);
  });

  it('of other integrations does not fit', async () => {
    const { project, integration } = await makeWebhook(app);
    const other = await makeIntegration(app, project);
    expect(await post(integration.url, bearer(other))).toEqual(UNAUTHORIZED);
  });
});

describe('the address of a webhook', () => {
  it('with an unknown identifier is forbidden, as is an inactive integration with any key', async () => {
    const { project, integration } = await makeWebhook(app);
    const unknown = integration.url.replace(integration.identifier, '0011aabbccddee00');
    expect(await post(unknown, bearer(integration))).toEqual(FORBIDDEN);
    const inactive = await makeIntegration(app, project, { active: false });
    expect(await post(inactive.url, bearer(inactive))).toEqual(FORBIDDEN);
    expect(await post(inactive.url, bearer({ token: 'f'.repeat(32) }))).toEqual(FORBIDDEN);
  });

  it('works with any slug, without .json, with a query, and in any case', async () => {
    const { project, integration } = await makeWebhook(app);
    const { identifier } = integration;
    const path = project.fullPath;
    for (const address of [
      `${app.url}/${path}/alerts/notify/x/${identifier}.json`,
      `${app.url}/${path}/alerts/notify/any%20thing/${identifier}`,
      `${app.url}/${path.toUpperCase()}/alerts/notify/x/${identifier}.json?a=b`,
      `${app.url}/${path}/prometheus/alerts/notify/x/${identifier}.json`,
    ]) {
      expect(await post(address, bearer(integration))).toEqual(TOUCHED);
    }
  });

  it('of an unknown project is not found, and nothing but POST is', async () => {
    const { integration } = await makeWebhook(app);
    const group = await makeGroup(app);
    const unknown = `${app.url}/${group.fullPath}/nope/alerts/notify.json`;
    expect(await post(unknown, bearer(integration))).toEqual(NOT_FOUND);
    expect(await answerOf(await fetch(integration.url, { headers: bearer(integration) }))).toEqual(
      NOT_FOUND,
    );
    const put = await fetch(integration.url, { method: 'PUT', body: '{}' });
    expect(put.status).toBe(404);
  });

  it('is not found for what is posted near it, in the form of the API', async () => {
    const { project, integration } = await makeWebhook(app);
    const { identifier } = integration;
    const base = `${app.url}/${project.fullPath}`;
    for (const near of [
      `${base}/alerts/notify/`,
      `${base}/alerts/notify.xml`,
      `${base}/prometheus/alerts/notify/`,
      `${base}/alerts/notify/${identifier}.json`,
      `${base}/alerts/notify//${identifier}.json`,
      `${base}/alerts/notify/x/${identifier}.xml`,
      `${base}/alerts/notify/x/${identifier}.json/`,
    ]) {
      expect(await post(near, bearer(integration))).toEqual(NOT_FOUND);
    }
    expect(await storedAlerts(app, project)).toEqual([]);
  });

  it('hides no page of a project whose path is like one', async () => {
    const parent = await makeGroup(app);
    for (const parentId of [parent.id, (await makeGroup(app, { parentId: parent.id })).id]) {
      const group = await makeGroup(app, { parentId, path: 'alerts', visibility: 'public' });
      const project = await makeProject(app, {
        namespaceId: group.id,
        path: 'notify',
        visibility: 'public',
      });
      const page = await fetch(`${app.url}/${project.fullPath}/-/issues`);
      expect(page.status).toBe(200);
      expect(page.headers.get('content-type')).toContain('text/html');
      const form = await fetch(`${app.url}/${project.fullPath}/-/issues`, { method: 'POST' });
      expect(form.headers.get('content-type')).toContain('text/html');
    }
  });

  it('in its short forms means the oldest active integration of its type', async () => {
    const { project, integration: inactive } = await makeWebhook(app, { active: false });
    const short = `${app.url}/${project.fullPath}/alerts/notify.json`;
    const monitoring = `${app.url}/${project.fullPath}/prometheus/alerts/notify.json`;
    expect(await post(short, bearer(inactive))).toEqual(FORBIDDEN);
    const oldest = await makeIntegration(app, project);
    const newer = await makeIntegration(app, project);
    expect(await post(short, bearer(oldest))).toEqual(TOUCHED);
    expect(await post(short.replace('.json', ''), bearer(oldest))).toEqual(TOUCHED);
    expect(await post(short, bearer(newer))).toEqual(UNAUTHORIZED);
    expect(await post(monitoring, bearer(oldest))).toEqual(FORBIDDEN);
    const prometheus = await makeIntegration(app, project, { type: 'prometheus' });
    expect((await post(monitoring, bearer(prometheus))).status).toBe(422);
  });

  it('reaches a project whose name is prometheus', async () => {
    const group = await makeGroup(app);
    const subgroup = await makeGroup(app, { parentId: group.id });
    const project = await makeProject(app, { namespaceId: subgroup.id, path: 'prometheus' });
    const integration = await makeIntegration(app, project);
    const short = `${app.url}/${project.fullPath}/alerts/notify.json`;
    expect(await post(short, bearer(integration))).toEqual(TOUCHED);
  });

  it('works for archived projects no more, and is gone with those being deleted', async () => {
    const { project, integration } = await makeWebhook(app);
    expect((await post(integration.url, bearer(integration))).status).toBe(200);
    const change = async (column: string) => {
      await app.dataSource.query(`UPDATE projects SET ${column} = true WHERE id = $1`, [
        project.id,
      ]);
      app.app.get(IntegrationLookup, { strict: false }).forget();
    };
    await change('archived');
    expect(await post(integration.url, bearer(integration))).toEqual(FORBIDDEN);
    await change('pending_delete');
    expect(await post(integration.url, bearer(integration))).toEqual(NOT_FOUND);
  });

  it('stays good when the project got another path', async () => {
    const { project, integration } = await makeWebhook(app);
    await app.dataSource.query('UPDATE projects SET path = $2 WHERE id = $1', [
      project.id,
      `${project.path}-new`,
    ]);
    await app.dataSource.query('INSERT INTO route_redirects (path, project_id) VALUES ($1, $2)', [
      project.fullPath,
      project.id,
    ]);
    expect(await post(integration.url, bearer(integration))).toEqual(TOUCHED);
  });
});

describe('a change of an integration', () => {
  it('counts at once for the process that forgets what it knew', async () => {
    const { integration } = await makeWebhook(app);
    expect((await post(integration.url, bearer(integration))).status).toBe(200);
    const token = '0'.repeat(32);
    await app.dataSource.query('UPDATE alert_integrations SET encrypted_token = $2 WHERE id = $1', [
      integration.id,
      integrationCipher(app.config).encrypt(token),
    ]);
    app.app.get(IntegrationLookup, { strict: false }).forget();
    expect(await post(integration.url, bearer(integration))).toEqual(UNAUTHORIZED);
    expect((await post(integration.url, bearer({ token }))).status).toBe(200);
  });
});
