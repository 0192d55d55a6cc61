import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { Alert } from '../../src/alerts/alert.entity.js';
import { statusNumber } from '../../src/alerts/alert-values.js';
import { makeAlert, makeEnvironment, makeIntegration } from '../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { textOf } from '../support/html.js';
import { makeMember, makeOwnedGroup, makeProject } from '../support/project-factories.js';
import { makeVisitor } from '../support/page-client.js';

const XSS = '<img src=x onerror=alert(1)>';
const HOUR_MS = 3_600_000;

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

/** A project with a developer who is signed in. */
async function makePlace(role: 'developer' | 'maintainer' | 'reporter' = 'developer') {
  const { pages, user } = await makeVisitor(app);
  const owner = await makeVisitor(app);
  const group = await makeOwnedGroup(app, owner);
  const project = await makeProject(app, { namespaceId: group.id });
  await makeMember(app, { project, user, role });
  return { pages, user, project, owner, path: `/${project.fullPath}/-/alert_management` };
}

const statusOf = async (id: number): Promise<number> =>
  (await app.dataSource.manager.findOneByOrFail(Alert, { id })).status;

describe('the list of alerts', () => {
  it('shows the open ones with severity, events, status and assignee, and counts all', async () => {
    const { pages, user, project, path } = await makePlace();
    const production = await makeEnvironment(app, project, { name: 'production' });
    const attributes = { title: 'Disk full', eventCount: 1234, service: 'web', severity: 1 };
    const more = { assigneeId: user.id, environmentId: production.id, status: 1 };
    await makeAlert(app, project, { ...attributes, ...more });
    await makeAlert(app, project, { title: 'Long gone', status: 2 });
    const { text } = await pages.get(path).expect(200);
    const seen = textOf(text);
    expect(seen).toMatch(/High Disk full Acknowledged #1 1,234 events Started 20\d\d-.* UTC/);
    expect(seen).toContain(`UTC ${user.name} web production Resolve`);
    expect(seen).not.toContain('Long gone');
    expect(seen).toMatch(/Open 1 Triggered 0 Acknowledged 1 Resolved 1 Ignored 0 All 2/);
  });

  it('is narrowed down by status, severity, assignee and search, and ordered', async () => {
    const { pages, user, project, path } = await makePlace();
    await makeAlert(app, project, { title: 'Queue long', severity: 3, assigneeId: user.id });
    await makeAlert(app, project, { title: 'Disk full', severity: 0, status: 3 });
    const linesOf = async (query: string): Promise<string[]> => {
      const { text } = await pages.get(`${path}?${query}`).expect(200);
      return [...text.matchAll(/>(Queue long|Disk full)<\/a>/g)].map((match) => String(match[1]));
    };
    expect(await linesOf('status=all&sort=severity_desc')).toEqual(['Disk full', 'Queue long']);
    expect(await linesOf('status=ignored')).toEqual(['Disk full']);
    expect(await linesOf('status=all&severity=low')).toEqual(['Queue long']);
    expect(await linesOf(`status=all&assignee=${user.username}`)).toEqual(['Queue long']);
    expect(await linesOf('status=all&assignee=None')).toEqual(['Disk full']);
    expect(await linesOf('status=all&search=disk')).toEqual(['Disk full']);
    expect(await linesOf('status=all&search=nothing')).toEqual([]);
    await pages.get(`${path}?status=bogus`).expect(400);
  });

  it('gives its live part anew, with the same query and page', async () => {
    const { pages, project, path } = await makePlace();
    await makeAlert(app, project, { title: XSS });
    const { text } = await pages.get(`${path}/live?status=triggered&page=1`).expect(200);
    expect(text).toMatch(/^<section id="alerts"/);
    expect(text).toContain('hx-get="');
    expect(text).not.toContain(XSS);
    expect(textOf(text)).toContain(XSS);
  });

  it('draws how many came when, in hours or days, with a table of the numbers', async () => {
    const { pages, project, path } = await makePlace();
    const startedAt = new Date(Date.now() - 30 * HOUR_MS);
    await makeAlert(app, project, { severity: 0 });
    await makeAlert(app, project, { severity: 2, startedAt });
    const day = (await pages.get(path).expect(200)).text;
    expect(day).toMatch(/<desc id="activity-desc">1 alert in the last 24 hours/);
    const month = (await pages.get(`${path}?activity=month`).expect(200)).text;
    expect(month).toMatch(/<desc id="activity-desc">2 alerts in the last 30 days/);
    expect(textOf(month)).toContain(`${startedAt.toISOString().slice(0, 10)} 0 1 1`);
    expect(month).not.toMatch(/style=/);
  });

  it('leads maintainers to the integrations while there are none', async () => {
    const { pages, project, path, owner } = await makePlace();
    const seen = textOf((await pages.get(path).expect(200)).text);
    expect(seen).toContain('Nothing sends alerts to this project yet');
    expect(seen).not.toContain('New integration');
    const { text } = await owner.pages.get(path).expect(200);
    expect(text).toContain(`/${project.fullPath}/-/settings/alert_integrations/new`);
  });

  it('tells where alerts are handled while external paging is active', async () => {
    const { pages, project, path } = await makePlace();
    await makeIntegration(app, project, { type: 'external_paging', name: 'Night shift' });
    const { text } = await pages.get(path).expect(200);
    expect(textOf(text)).toContain('handled elsewhere: Night shift');
    expect(text).toContain('href="https://paging.example.com/"');
  });

  it('offers test alerts to developers, without keys', async () => {
    const { pages, project, path } = await makePlace();
    const made = await makeIntegration(app, project, { name: 'Disk watch' });
    await makeIntegration(app, project, { name: 'Silent', active: false });
    const { text } = await pages.get(path).expect(200);
    expect(text).toContain(`/-/settings/alert_integrations/${made.id}/test`);
    expect(text).not.toContain(made.token);
    expect(text).not.toContain('Silent');
  });
});

describe('the buttons of the list', () => {
  it('change the status and lead back to the list as it was', async () => {
    const { pages, project, path } = await makePlace();
    const { id, iid } = await makeAlert(app, project);
    const back = 'status=open&search=a%26b&sort=severity_desc&activity=day';
    const fields = { status: 'acknowledged', back };
    const answer = await pages.post(`${path}/${iid}/status`, fields).expect(303);
    expect(answer.headers['location']).toBe(`${path}?${back}`);
    expect(await statusOf(id)).toBe(statusNumber('acknowledged'));
  });

  it('lead nowhere else', async () => {
    const { pages, project, path } = await makePlace();
    const { iid } = await makeAlert(app, project);
    const fields = { status: 'resolved', back: 'status=https://evil.example.com' };
    const answer = await pages.post(`${path}/${iid}/status`, fields).expect(303);
    expect(answer.headers['location']).toBe(`${path}/${iid}/details`);
  });

  it('say why nothing happened', async () => {
    const { pages, project, path } = await makePlace();
    const fingerprint = Buffer.alloc(20, 7);
    const old = await makeAlert(app, project, { fingerprint, status: 2 });
    await makeAlert(app, project, { fingerprint });
    const answer = await pages.post(`${path}/${old.iid}/status`, { status: 'triggered' });
    expect(answer.status).toBe(303);
    expect(await statusOf(old.id)).toBe(statusNumber('resolved'));
    await pages.post(`${path}/${old.iid}/status`, { status: 'bogus' }).expect(303);
    expect(await statusOf(old.id)).toBe(statusNumber('resolved'));
  });
});

describe('pages of alerts', () => {
  it('do not exist for reporters and strangers, and want a sign-in', async () => {
    const { pages, project, path } = await makePlace('reporter');
    const { id, iid } = await makeAlert(app, project);
    const stranger = await makeVisitor(app);
    for (const visitor of [pages, stranger.pages]) {
      await visitor.get(path).expect(404);
      await visitor.get(`${path}/live`).expect(404);
      await visitor.get(`${path}/${iid}/details`).expect(404);
      await visitor.get(`${path}/${iid}/details/live`).expect(404);
      await visitor.post(`${path}/${iid}/status`, { status: 'resolved' }).expect(404);
      await visitor.post(`${path}/${iid}/assignee`, { assignee: '' }).expect(404);
      await visitor.post(`${path}/${iid}/comments`, { body: 'Hi' }).expect(404);
      await visitor.post(`${path}/${iid}/incident`).expect(404);
      await visitor.post(`${path}/${iid}/incident/link`, { issue_iid: '1' }).expect(404);
      await visitor.post(`${path}/${iid}/incident/unlink`).expect(404);
    }
    expect(await statusOf(id)).toBe(0);
    await request(app.url).get(path).expect(302);
  });

  it('change nothing without the token of the forms', async () => {
    const { pages, project, path } = await makePlace();
    const { id, iid } = await makeAlert(app, project);
    await request(app.url)
      .post(`${path}/${iid}/status`)
      .set('Cookie', `_svc_session=${pages.cookie}`)
      .type('form')
      .send({ status: 'resolved' })
      .expect(422);
    expect(await statusOf(id)).toBe(0);
  });
});
