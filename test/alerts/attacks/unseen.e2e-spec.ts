import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import { makeAlert, makeEnvironment, makeIntegration } from '../../support/alert-factories.js';
import { api, type ApiClient } from '../../support/api-client.js';
import { sharedTestApp, type TestApp } from '../../support/app.js';
import { makeActor, type MadeActor } from '../../support/factories.js';
import { createIssue } from '../../support/issue-factories.js';
import { pageClient, signedIn, type PageClient } from '../../support/page-client.js';
import { newAnonymousValue } from '../../../src/identity/auth/sessions/session-cookies.js';
import { makeMember, makeProject, type MadeProject } from '../../support/project-factories.js';

let app: TestApp;
let owner: MadeActor;
let stranger: MadeActor;
let hidden: MadeProject;
let integrationId: number;
beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
  stranger = await makeActor(app);
  hidden = await makeProject(app, { namespaceId: owner.user.namespaceId });
  await makeAlert(app, hidden);
  await createIssue(owner.api, hidden);
  await makeEnvironment(app, hidden);
  ({ id: integrationId } = await makeIntegration(app, hidden));
});

const READS = [
  '/alert_management_alerts',
  '/alert_management_alerts/1',
  '/alert_management_alerts/1/notes',
  '/alert_management_alerts_statistics',
  '/alert_management/settings',
  '/alert_management/http_integrations',
  '/alert_management/http_integrations/ID',
  '/alert_management/http_integrations/ID/deliveries',
  '/alert_management/http_integrations/ID/deliveries/1',
  '/issues',
  '/issues/1',
  '/issues/1/notes',
  '/issues/1/resource_state_events',
  '/issues_statistics',
  '/environments',
  '/environments/1',
];

const WRITES: [method: 'post' | 'put' | 'delete', path: string][] = [
  ['put', '/alert_management_alerts/1'],
  ['post', '/alert_management_alerts/1/issue'],
  ['delete', '/alert_management_alerts/1/issue'],
  ['post', '/alert_management_alerts/1/notes'],
  ['put', '/alert_management/settings'],
  ['post', '/alert_management/payload_fields'],
  ['post', '/alert_management/http_integrations'],
  ['put', '/alert_management/http_integrations/ID'],
  ['delete', '/alert_management/http_integrations/ID'],
  ['post', '/alert_management/http_integrations/ID/reset_token'],
  ['post', '/alert_management/http_integrations/ID/test_alert'],
  ['post', '/alert_management/http_integrations/ID/deliveries/1/replay'],
  ['post', '/issues'],
  ['put', '/issues/1'],
  ['delete', '/issues/1'],
  ['post', '/issues/1/notes'],
  ['post', '/environments'],
  ['put', '/environments/1'],
  ['post', '/environments/1/stop'],
  ['delete', '/environments/1'],
];

/** Everything that the answer tells, without what differs between any two answers. */
async function told(test: Test): Promise<unknown> {
  const { status, headers, text } = await test;
  const own: Record<string, unknown> = { ...headers };
  const changing = ['date', 'x-request-id', 'x-svc-meta', 'x-runtime', 'set-cookie', 'location'];
  for (const name of [...changing, 'content-length', 'etag']) delete own[name];
  const rest = Object.entries(own).filter(([name]) => !name.startsWith('ratelimit'));
  return { status, headers: Object.fromEntries(rest), text };
}

const withId = (path: string): string => path.replace('ID', String(integrationId));

describe('a project that the viewer may not see', () => {
  const clients: [string, () => ApiClient][] = [
    ['somebody who is signed in', () => stranger.api],
    ['nobody', () => api(app.url)],
  ];

  it.each(clients)('is answered for as one that does not exist, to %s', async (_, clientOf) => {
    const client = clientOf();
    for (const name of [encodeURIComponent(hidden.fullPath), String(hidden.id)]) {
      const unknown = name === String(hidden.id) ? '999999' : encodeURIComponent('no/where');
      for (const path of READS) {
        const answer = await told(client.get(`/projects/${name}${withId(path)}`));
        expect(answer).toEqual(await told(client.get(`/projects/${unknown}${withId(path)}`)));
        expect(answer).toMatchObject({ status: 404 });
      }
      for (const [method, path] of WRITES) {
        const body = { title: 'x', name: 'x', active: true, body: 'x', status: 'resolved' };
        const answer = await told(client[method](`/projects/${name}${withId(path)}`, body));
        const other = client[method](`/projects/${unknown}${withId(path)}`, body);
        expect([method, path, answer]).toEqual([method, path, await told(other)]);
      }
    }
  });

  it('is in no list of all projects', async () => {
    const all = `scope=all&author_id=${owner.user.id}`;
    const { body } = await stranger.api.get(`/issues?${all}`).expect(200);
    expect(body).toEqual([]);
    const counted = await stranger.api.get(`/issues_statistics?${all}`).expect(200);
    expect(counted.body).toEqual({ statistics: { counts: { all: 0, closed: 0, opened: 0 } } });
  });

  it('has no pages', async () => {
    const nobody = pageClient(app, newAnonymousValue());
    const visitors: PageClient[] = [await signedIn(app, stranger.user), nobody];
    const integration = `/settings/alert_integrations/${integrationId}`;
    const paths = ['/alert_management', '/alert_management/live', '/alert_management/1/details'];
    paths.push('/settings/alerts', '/settings/alert_integrations/new', integration);
    paths.push(...['/mapping', '/test', '/deliveries'].map((end) => integration + end));
    paths.push('/issues', '/incidents', '/issues/new', '/issues/1', '/issues/1/edit');
    for (const pages of visitors) {
      for (const path of paths) {
        const one = await pages.get(`/${hidden.fullPath}/-${path}`);
        const other = await pages.get(`/no/where/-${path}`);
        expect([path, one.status]).toEqual([path, other.status]);
        expect([path, one.status]).not.toEqual([path, 200]);
        expect(one.text).not.toContain(hidden.name);
      }
    }
  });
});

describe('alerts of a public project', () => {
  it('are for developers: others get the same response whether there are any', async () => {
    const { namespaceId } = owner.user;
    const open = await makeProject(app, { namespaceId, visibility: 'public' });
    await makeAlert(app, open);
    const { id } = await makeIntegration(app, open);
    const empty = await makeProject(app, { namespaceId, visibility: 'public' });
    for (const path of READS.filter((one) => one.includes('alert'))) {
      const filled = await stranger.api.get(
        `/projects/${open.id}${path.replace('ID', String(id))}`,
      );
      const bare = await stranger.api.get(`/projects/${empty.id}${path.replace('ID', '999999')}`);
      expect([path, filled.status, filled.text]).toEqual([path, 403, bare.text]);
    }
  });

  it('are shown on the page of their incident to developers only', async () => {
    const { namespaceId } = owner.user;
    const open = await makeProject(app, { namespaceId, visibility: 'public' });
    const alert = await makeAlert(app, open, { title: 'Quiet alert' });
    const { iid } = await createIssue(owner.api, open, { issue_type: 'incident' });
    const link = `/projects/${open.id}/alert_management_alerts/${alert.iid}/issue`;
    await owner.api.post(link, { issue_iid: iid }).expect(200);
    const path = `/${open.fullPath}/-/issues/incident/${iid}`;
    const reporter = await makeActor(app);
    await makeMember(app, { project: open, user: reporter.user, role: 'reporter' });
    const nobody = pageClient(app, newAnonymousValue());
    for (const pages of [
      await signedIn(app, reporter.user),
      await signedIn(app, stranger.user),
      nobody,
    ]) {
      expect((await pages.get(path).expect(200)).text).not.toContain('Quiet alert');
    }
    const { text } = await (await signedIn(app, owner.user)).get(path).expect(200);
    expect(text).toContain('Quiet alert');
  });
});
