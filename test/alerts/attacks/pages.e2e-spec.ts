import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import {
  makeAlert,
  makeIntegration,
  postAlert,
  storedAlerts,
} from '../../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../../support/app.js';
import { makeActor, type MadeActor } from '../../support/factories.js';
import { createIssue } from '../../support/issue-factories.js';
import { signedIn, type PageClient } from '../../support/page-client.js';
import { makeProject, type MadeProject } from '../../support/project-factories.js';
import { sitePaths } from '../../support/site-routes.js';

let app: TestApp;
let owner: MadeActor;
let pages: PageClient;
let project: MadeProject;
let base: string;
beforeAll(async () => {
  app = await sharedTestApp();
  owner = await makeActor(app);
  pages = await signedIn(app, owner.user);
  project = await makeProject(app, { namespaceId: owner.user.namespaceId });
  base = `/${project.fullPath}/-`;
});

/** Everything in the project that forms change. */
async function rows(): Promise<unknown> {
  const tables = ['alerts', 'issues', 'alert_integrations', 'alert_settings', 'environments'];
  return Promise.all(
    tables.map((table) =>
      app.dataSource.query(`SELECT * FROM ${table} WHERE project_id = $1 ORDER BY 1`, [project.id]),
    ),
  );
}

describe('a form of the pages about alerts and issues', () => {
  it('changes nothing without the token of the session, wherever it is posted', async () => {
    const { iid } = await makeAlert(app, project);
    const issue = await createIssue(owner.api, project);
    const integration = await makeIntegration(app, project);
    const numbered = sitePaths(app, 'post').filter((path) =>
      /^\/some\/where\/-\/(alert_management|issues|settings\/alert)/.test(path),
    );
    expect(numbered.length).toBeGreaterThanOrEqual(19);
    const before = await rows();
    for (const path of numbered) {
      const number = path.includes('alert_integrations') ? integration.id : iid;
      const address = path
        .replace('/some/where/-', base)
        .replace(/\/1(?=\/|$)/, `/${path.includes('/issues/') ? issue.iid : number}`);
      for (const fields of ['status=resolved&name=x&body=x', 'authenticity_token=x', '']) {
        const { status } = await request(app.url)
          .post(address)
          .set('Cookie', `_svc_session=${pages.cookie}`)
          .set('Origin', 'https://evil.example')
          .type('form')
          .send(fields);
        expect([address, status]).toEqual([address, 422]);
      }
      const got = await pages.get(`${address}?status=resolved&state_event=close`);
      expect([address, got.status < 500]).toEqual([address, true]);
    }
    expect(await rows()).toEqual(before);
  });

  it('leads nowhere but to this project, whatever it says about where it came from', async () => {
    const places = [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example',
      '/\t/evil.example',
      'javascript:alert(1)',
      'status=open&search=https://evil.example',
      'status=open\r\nLocation: https://evil.example',
      'search=%0d%0aSet-Cookie:%20a=b',
      'search=\u2028x',
      '@evil.example',
      '.evil.example',
      '../../../../evil',
    ];
    for (const back of places) {
      const { iid } = await makeAlert(app, project);
      const path = `${base}/alert_management/${iid}/status`;
      const { status, headers } = await pages.post(path, { status: 'acknowledged', back });
      expect([back, status]).toEqual([back, 303]);
      const location = String(headers['location']);
      expect(location.startsWith(`${base}/alert_management`)).toBe(true);
      expect(location).not.toMatch(/[\r\n\t\\]|^\/\//);
      expect(new URL(location, app.url).origin).toBe(app.url);
      expect(String(headers['set-cookie'])).not.toContain('a=b');
    }
  });

  it('puts no text of others into a header', async () => {
    const breaks = ['\r\nX-Injected: 1', '\nX-Injected: 1', '\u2028X-Injected: 1', '\u0085X: 1'];
    for (const text of breaks) {
      const integration = await makeIntegration(app, project, { name: `Name ${text}` });
      const sent = await postAlert(integration.url, integration.token, { title: `Title ${text}` });
      const [{ iid }] = (await sent.json()) as [{ iid: number }];
      const one = `${base}/settings/alert_integrations/${integration.id}`;
      const answers = [
        await pages.post(`${base}/alert_management/${iid}/incident`),
        await pages.post(`${base}/alert_management/${iid}/comments`, { body: text }),
        await pages.post(one, { name: `Other ${text}`, active: 'true' }),
        await pages.post(`${base}/issues/new`, { title: `Issue ${text}` }),
        await pages.get(`${base}/issues?search=${encodeURIComponent(text)}`),
        await pages.get(`${base}/alert_management?search=${encodeURIComponent(text)}`),
        await owner.api.get(
          `/projects/${project.id}/alert_management_alerts?per_page=1&search=${encodeURIComponent(text)}`,
        ),
      ];
      for (const { status, headers } of answers) {
        expect(status).toBeLessThan(500);
        expect(Object.keys(headers)).not.toContain('x-injected');
        expect(Object.keys(headers)).not.toContain('x');
      }
    }
    const titles = (await storedAlerts(app, project)).map(({ title }) => title);
    expect(titles.filter((title) => title.includes('X-Injected')).length).toBeGreaterThan(2);
  });
});
