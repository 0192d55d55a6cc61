import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { Alert } from '../../src/alerts/alert.entity.js';
import { ALERT_STATUSES, statusNumber } from '../../src/alerts/alert-values.js';
import { makeAlert, makeEnvironment, makeIntegration } from '../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeUser, unique } from '../support/factories.js';
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
    expect(seen).toMatch(
      /High Disk full production web 1,234 events in the last 24 hours 1,234 events Acknowledged 20\d\d-.* UTC/,
    );
    expect(text).toContain(`title="${user.name}"`);
    expect(seen).not.toContain('Long gone');
    expect(seen).toMatch(/Open 1 Triggered 0 Acknowledged 1 Resolved 1 Ignored 0 All 2/);
  });

  it('is narrowed down by status, severity, assignee and search, and ordered', async () => {
    const { pages, user, project, path } = await makePlace();
    const { id: environmentId } = await makeEnvironment(app, project, { name: 'production' });
    const assigned = { assigneeId: user.id, environmentId };
    await makeAlert(app, project, { title: 'Queue long', severity: 3, ...assigned });
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
    expect(await linesOf('status=all&environment=production')).toEqual(['Queue long']);
    await pages.get(`${path}?status=bogus`).expect(400);
    const typed = await pages.get(`${path}?search=is:all severity:low queue`).expect(303);
    expect(typed.headers['location']).toBe(`${path}?search=queue&status=all&severity=low`);
  });

  it('gives its live part anew, with the same query and page', async () => {
    const { pages, project, path } = await makePlace();
    await makeAlert(app, project, { title: XSS });
    const { text } = await pages.get(`${path}/live?status=triggered&per_page=50`).expect(200);
    expect(text).toMatch(/^<section id="alerts"/);
    expect(text).toMatch(/hx-get="[^"]*\/live\?[^"]*status=triggered[^"]*per_page=50"/);
    expect(text).not.toContain(XSS);
    expect(textOf(text)).toContain(XSS);
  });

  it('draws how many of the listed ones came when, with a table of the numbers', async () => {
    const { pages, project, path } = await makePlace();
    const startedAt = new Date(Date.now() - 30 * HOUR_MS);
    await makeAlert(app, project, { severity: 0 });
    await makeAlert(app, project, { severity: 2, startedAt });
    const day = (await pages.get(path).expect(200)).text;
    expect(day).toMatch(/<desc id="activity-desc">1 alert in the last 24 hours/);
    const critical = (await pages.get(`${path}?activity=month&severity=critical`)).text;
    expect(critical).toMatch(/<desc id="activity-desc">1 alert in the last 30 days/);
    const none = (await pages.get(`${path}?severity=low`).expect(200)).text;
    expect(textOf(none)).toContain('Last 24 hours 0');
    const month = (await pages.get(`${path}?activity=month`).expect(200)).text;
    expect(month).toMatch(/<desc id="activity-desc">2 alerts in the last 30 days/);
    expect(textOf(month)).toContain(`${startedAt.toISOString().slice(0, 10)} 0 1 1`);
    expect(month).not.toMatch(/style=/);
  });

  it('leads maintainers to the integrations while there are none', async () => {
    const { pages, project, path, owner } = await makePlace();
    const seen = textOf((await pages.get(path).expect(200)).text);
    expect(seen).toContain('Connect a monitoring tool');
    expect(seen).not.toContain('New integration');
    const { text } = await owner.pages.get(path).expect(200);
    expect(text).toContain(`/${project.fullPath}/-/settings/alert_integrations/new`);
  });

  it('tells where alerts are handled while external paging is active', async () => {
    const { pages, project, path } = await makePlace();
    await makeIntegration(app, project, { type: 'external_paging', name: 'Night shift' });
    const { text } = await pages.get(path).expect(200);
    expect(textOf(text)).toContain('Alerts of this project go to Night shift');
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

describe('actions on the list', () => {
  it('change the selected alerts and lead back to the list as it was', async () => {
    const { pages, project, path } = await makePlace();
    const chosen = [await makeAlert(app, project), await makeAlert(app, project)];
    const other = await makeAlert(app, project);
    const iids = chosen.map(({ iid }) => String(iid));
    const query = 'status=open&search=a%26b&sort=severity_desc&activity=day&page=2&per_page=50';
    const fields = { status: 'acknowledged', iids };
    const answer = await pages.post(`${path}/bulk?${query}`, fields).expect(303);
    expect(answer.headers['location']).toBe(`${path}?${query}`);
    const statuses = await Promise.all([...chosen, other].map(({ id }) => statusOf(id)));
    expect(statuses.map((status) => ALERT_STATUSES[status])).toEqual([
      'acknowledged',
      'acknowledged',
      'triggered',
    ]);
  });

  it('offer active people as assignees, however many members are blocked', async () => {
    const { project, pages, path } = await makePlace();
    const names = unique('gone');
    await app.dataSource.query(
      `WITH gone AS (
         INSERT INTO users (username, name, email, confirmed_at, state)
         SELECT $2::text || n, 'Gone', $2::text || n || '@example.com', now(), 'blocked'
         FROM generate_series(1, 1001) n RETURNING id)
       INSERT INTO members (project_id, user_id, access_level) SELECT $1, id, 30 FROM gone`,
      [project.id, names],
    );
    await makeAlert(app, project, {});
    const colleague = await makeUser(app, { name: unique('Active ') });
    await makeMember(app, { project, user: colleague, role: 'developer' });
    const { text } = await pages.get(path).expect(200);
    expect(text).toContain(`value="${colleague.username}"`);
    expect(text).not.toContain(`value="${names}1"`);
  });

  it('assign the selected alerts', async () => {
    const { pages, user, project, path } = await makePlace();
    const { id, iid } = await makeAlert(app, project);
    const rowOf = () => app.dataSource.manager.findOneByOrFail(Alert, { id });
    const fields = { iids: [String(iid)], action: 'assign' };
    await pages.post(`${path}/bulk`, { ...fields, assignee: user.username }).expect(303);
    expect((await rowOf()).assigneeId).toBe(user.id);
    await pages.post(`${path}/bulk`, { ...fields, assignee: '' }).expect(303);
    expect((await rowOf()).assigneeId).toBe(user.id);
    await pages.post(`${path}/bulk`, { ...fields, assignee: 'None' }).expect(303);
    expect(await rowOf()).toMatchObject({ assigneeId: null, status: 0 });
  });

  it('answer a live region with the list and the outcome', async () => {
    const { pages, project, path } = await makePlace();
    const { iid } = await makeAlert(app, project);
    const fields = { status: 'resolved', iids: [String(iid)] };
    const live = pages.post(`${path}/bulk?status=open`, fields).set('HX-Request', 'true');
    const { text } = await live.expect(200);
    expect(text).toMatch(/^<section id="alerts"/);
    expect(text).not.toContain(`id="alert-${iid}"`);
    expect(textOf(text)).toContain(`Alert #${iid} resolved`);
  });

  it('touch no alert of another project, and lead nowhere else', async () => {
    const { pages, path } = await makePlace();
    const other = await makePlace();
    const { id, iid } = await makeAlert(app, other.project);
    const fields = { status: 'resolved', iids: [String(iid), 'x', '-1'] };
    const { headers } = await pages.post(`${path}/bulk`, fields).expect(303);
    expect(headers['location']).toMatch(new RegExp(`^${path}\\?`));
    expect(await statusOf(id)).toBe(0);
    await pages.post(`${path}/bulk?status=https://evil.example.com`, fields).expect(400);
  });

  it('say why nothing happened', async () => {
    const { pages, project, path } = await makePlace();
    const fingerprint = Buffer.alloc(20, 7);
    const old = await makeAlert(app, project, { fingerprint, status: 2 });
    const fresh = await makeAlert(app, project, { fingerprint });
    const iids = [String(old.iid), String(fresh.iid)];
    const live = pages.post(`${path}/bulk`, { status: 'acknowledged', iids });
    const { text } = await live.set('HX-Request', 'true').expect(200);
    expect(textOf(text)).toContain('1 alert not changed. An alert with the same fingerprint');
    expect(await statusOf(old.id)).toBe(statusNumber('resolved'));
    expect(await statusOf(fresh.id)).toBe(statusNumber('acknowledged'));
    await pages.post(`${path}/${old.iid}/status`, { status: 'bogus' }).expect(303);
    expect(await statusOf(old.id)).toBe(statusNumber('resolved'));
  });

  it('are not offered in an archived project, nor taken', async () => {
    const { pages, project, path } = await makePlace();
    const { id, iid } = await makeAlert(app, project);
    await app.dataSource.query('UPDATE projects SET archived = true WHERE id = $1', [project.id]);
    expect((await pages.get(path).expect(200)).text).not.toContain('name="iids[]"');
    await pages.post(`${path}/bulk`, { status: 'resolved', iids: [String(iid)] }).expect(303);
    expect(await statusOf(id)).toBe(0);
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
      const selected = { status: 'resolved', iids: [String(iid)] };
      await visitor.post(`${path}/bulk`, selected).expect(404);
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
