import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import type { ApiClient } from '../../support/api-client.js';
import {
  makeAlert,
  makeEnvironment,
  makeIntegration,
  postAlert,
  storedAlerts,
  storedDeliveries,
  type MadeAlert,
  type MadeIntegration,
} from '../../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../../support/app.js';
import { makeActor, makeUser, type MadeActor } from '../../support/factories.js';
import { createIssue, type IssueBody } from '../../support/issue-factories.js';
import { signedIn, type PageClient } from '../../support/page-client.js';
import { makeMemberOf, makeProject, type MadeProject } from '../../support/project-factories.js';

let app: TestApp;
/** Owns both projects: only the path of a request says which one is meant. */
let owner: MadeActor;
let pages: PageClient;
let own: MadeProject;
let other: Other;
beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
  pages = await signedIn(app, owner.user);
  own = await makeProject(app, { namespaceId: owner.user.namespaceId });
  other = await makeOther();
});

interface Other {
  project: MadeProject;
  alert: MadeAlert;
  issue: IssueBody;
  integration: MadeIntegration;
  environment: { id: number; name: string };
  noteId: number;
  deliveryId: number;
}

/** Another project, with numbers that the first one does not have. */
async function makeOther(): Promise<Other> {
  const project = await makeProject(app, { namespaceId: owner.user.namespaceId });
  const issue = await createIssue(owner.api, project, { title: 'Secret plan', iid: 77 });
  const alert = await makeAlert(app, project, { iid: 78, title: 'Secret alert' });
  const integration = await makeIntegration(app, project);
  await postAlert(integration.url, integration.token, { title: 'Delivered' });
  const [delivery] = await storedDeliveries(app, integration);
  const note = await owner.api.post(`/projects/${project.id}/issues/77/notes`, { body: 'Hush' });
  return {
    project,
    alert,
    issue,
    integration,
    environment: await makeEnvironment(app, project, { name: 'production' }),
    noteId: (note.body as { id: number }).id,
    deliveryId: delivery?.id ?? 0,
  };
}

type Call = [name: string, call: (client: ApiClient, base: string) => PromiseLike<Response>];

/** Every route that takes a number of something, each with one of the other project. */
const calls: Call[] = [
  ['GET alert', (c, b) => c.get(`${b}/alert_management_alerts/78`)],
  ['PUT alert', (c, b) => c.put(`${b}/alert_management_alerts/78`, { status: 'resolved' })],
  ['POST issue of alert', (c, b) => c.post(`${b}/alert_management_alerts/78/issue`, {})],
  ['DELETE issue of alert', (c, b) => c.delete(`${b}/alert_management_alerts/78/issue`)],
  ['GET notes of alert', (c, b) => c.get(`${b}/alert_management_alerts/78/notes`)],
  ['POST note of alert', (c, b) => c.post(`${b}/alert_management_alerts/78/notes`, { body: 'x' })],
  ...integrationCalls(),
  ['GET issue', (c, b) => c.get(`${b}/issues/77`)],
  ['PUT issue', (c, b) => c.put(`${b}/issues/77`, { title: 'Mine' })],
  ['DELETE issue', (c, b) => c.delete(`${b}/issues/77`)],
  ['GET notes of issue', (c, b) => c.get(`${b}/issues/77/notes`)],
  ['POST note of issue', (c, b) => c.post(`${b}/issues/77/notes`, { body: 'x' })],
  ['GET note of issue', (c, b) => c.get(`${b}/issues/77/notes/${other.noteId}`)],
  ['GET state events', (c, b) => c.get(`${b}/issues/77/resource_state_events`)],
  ['GET environment', (c, b) => c.get(`${b}/environments/${other.environment.id}`)],
  ['PUT environment', (c, b) => c.put(`${b}/environments/${other.environment.id}`, { name: 'x' })],
  ['stop environment', (c, b) => c.post(`${b}/environments/${other.environment.id}/stop`)],
  ['DELETE environment', (c, b) => c.delete(`${b}/environments/${other.environment.id}`)],
];

function integrationCalls(): Call[] {
  const at = (base: string) => `${base}/alert_management/http_integrations/${other.integration.id}`;
  return [
    ['GET integration', (c, b) => c.get(at(b))],
    ['PUT integration', (c, b) => c.put(at(b), { name: 'Mine' })],
    ['DELETE integration', (c, b) => c.delete(at(b))],
    ['reset key', (c, b) => c.post(`${at(b)}/reset_token`)],
    ['test alert', (c, b) => c.post(`${at(b)}/test_alert`, { title: 'x' })],
    ['GET deliveries', (c, b) => c.get(`${at(b)}/deliveries`)],
    ['GET delivery', (c, b) => c.get(`${at(b)}/deliveries/${other.deliveryId}`)],
    ['replay', (c, b) => c.post(`${at(b)}/deliveries/${other.deliveryId}/replay`)],
  ];
}

describe('what belongs to another project', () => {
  it.each(calls)('is not found through the path of this one: %s', async (_, call) => {
    const before = await rowsOf(other.project);
    const { status, text } = await call(owner.api, `/projects/${own.id}`);
    expect(status).toBe(404);
    expect(text).not.toMatch(/secret|hush/i);
    expect(await rowsOf(other.project)).toEqual(before);
  });

  it('is not found through pages of this one', async () => {
    const base = `/${own.fullPath}/-`;
    const integration = `${base}/settings/alert_integrations/${other.integration.id}`;
    const before = await rowsOf(other.project);
    for (const path of [
      `${base}/alert_management/78/details`,
      `${base}/alert_management/78/details/live`,
      integration,
      `${integration}/mapping`,
      `${integration}/test`,
      `${integration}/deliveries`,
      `${integration}/deliveries/${other.deliveryId}`,
      `${base}/issues/77`,
      `${base}/issues/incident/77`,
      `${base}/issues/77/edit`,
      `${base}/issues/77/notes/${other.noteId}/edit`,
    ]) {
      const { status, text } = await pages.get(path);
      expect([path, status]).toEqual([path, 404]);
      expect(text).not.toMatch(/secret plan|secret alert|hush/i);
    }
    for (const path of [
      ...[
        '/status',
        '/assignee',
        '/comments',
        '/incident',
        '/incident/link',
        '/incident/unlink',
      ].map((end) => `${base}/alert_management/78${end}`),
      ...[
        '',
        '/reset',
        '/delete',
        '/mapping',
        '/test',
        `/deliveries/${other.deliveryId}/replay`,
      ].map((end) => integration + end),
      ...['/edit', '/state', '/assign', '/delete', '/notes', `/notes/${other.noteId}/delete`].map(
        (end) => `${base}/issues/77${end}`,
      ),
    ]) {
      const { status } = await pages.post(path, { status: 'resolved', body: 'x', title: 'x' });
      expect([path, status]).toEqual([path, 404]);
    }
    expect(await rowsOf(other.project)).toEqual(before);
  });

  it('is not linked: an issue of another project, or one that may not be seen', async () => {
    const alert = await makeAlert(app, own);
    const path = `/projects/${own.id}/alert_management_alerts/${alert.iid}/issue`;
    await owner.api.post(path, { issue_iid: 77 }).expect(404);
    await owner.api.post(path, { issue_iid: other.issue.id }).expect(404);
    const developer = await makeMemberOf(app, own, 'developer');
    await developer.api.post(path, { issue_iid: 77 }).expect(404);
  });

  it('gives alerts no environment, whether by name or through a mapping', async () => {
    const path = ['environment'];
    const mappings = [{ field: 'svc_environment_name' as const, path, type: 'STRING' as const }];
    const integration = await makeIntegration(app, own, { mappings });
    const bodies = [
      { title: 'By name', svc_environment_name: 'production' },
      { title: 'By alias', gitlab_environment_name: 'production' },
      { title: 'By mapping', environment: 'production' },
      { title: 'By id', environment: other.environment.id, environment_id: other.environment.id },
    ];
    for (const body of bodies) {
      expect((await postAlert(integration.url, integration.token, body)).status).toBe(200);
    }
    const alerts = await storedAlerts(app, own);
    expect(new Set(alerts.map(({ environmentId }) => environmentId))).toEqual(new Set([null]));
    const filtered = await owner.api.get(
      `/projects/${own.id}/alert_management_alerts?environment=production`,
    );
    expect(filtered.body).toEqual([]);
  });

  it('cannot be assigned to users without access', async () => {
    const alert = await makeAlert(app, own);
    const path = `/projects/${own.id}/alert_management_alerts/${alert.iid}`;
    const elsewhere = await makeMemberOf(app, other.project, 'maintainer');
    const reporter = await makeMemberOf(app, own, 'reporter');
    const refusals = [];
    for (const { id, username } of [
      elsewhere.user,
      reporter.user,
      await makeUser(app),
      { id: 999_999, username: 'nobody-at-all' },
    ]) {
      refusals.push(await owner.api.put(path, { assignee_ids: [id] }));
      refusals.push(await owner.api.put(path, { assignee_usernames: [username] }));
    }
    const answers = refusals.map(({ status, body }) => ({ status, body: body as unknown }));
    const expected = { status: 400, body: { message: 'Assignee has no permissions' } };
    expect(answers).toEqual(refusals.map(() => expected));
  });
});

/** Everything that the calls above might have changed. */
function rowsOf({ id }: MadeProject): Promise<unknown> {
  return app.dataSource.query(
    `SELECT (SELECT json_agg(a ORDER BY a.id) FROM alerts a WHERE a.project_id = $1) AS alerts,
       (SELECT json_agg(i ORDER BY i.id) FROM issues i WHERE i.project_id = $1) AS issues,
       (SELECT json_agg(t ORDER BY t.id) FROM alert_integrations t WHERE t.project_id = $1) AS tools,
       (SELECT json_agg(e ORDER BY e.id) FROM environments e WHERE e.project_id = $1) AS places,
       (SELECT count(*) FROM notes n LEFT JOIN issues i ON i.id = n.issue_id
          LEFT JOIN alerts a ON a.id = n.alert_id
        WHERE coalesce(i.project_id, a.project_id) = $1) AS notes`,
    [id],
  );
}
