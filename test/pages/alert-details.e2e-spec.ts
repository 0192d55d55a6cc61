import { beforeAll, describe, expect, it } from '@jest/globals';
import { Alert } from '../../src/alerts/alert.entity.js';
import { Issue } from '../../src/workspace/issues/issue.entity.js';
import { Note } from '../../src/workspace/notes/note.entity.js';
import { makeAlert, makeIntegration, postAlert } from '../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeUser } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { makeMember, makeOwnedGroup, makeProject } from '../support/project-factories.js';
import { makeVisitor } from '../support/page-client.js';

const XSS = '<img src=x onerror=alert(1)>';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

/** An alert, and the browser of a developer of its project. */
async function makePlace(
  attributes: Partial<Alert> = {},
  options: Partial<Parameters<typeof makeProject>[1]> = {},
) {
  const { pages, user } = await makeVisitor(app);
  const group = await makeOwnedGroup(app, { user: await makeUser(app) });
  const project = await makeProject(app, { ...options, namespaceId: group.id });
  await makeMember(app, { project, user, role: 'developer' });
  const alert = await makeAlert(app, project, attributes);
  const path = `/${project.fullPath}/-/alert_management/${alert.iid}`;
  const read = async () => (await pages.get(`${path}/details`).expect(200)).text;
  return { pages, user, project, alert, path, read };
}

const rowOf = (id: number): Promise<Alert> => app.dataSource.manager.findOneByOrFail(Alert, { id });

describe('the page of an alert', () => {
  it('shows every field, with links for metric and runbook', async () => {
    const { read } = await makePlace({
      title: 'Queue backlog',
      description: 'Jobs wait.\nLong.',
      service: 'queue',
      monitoringTool: 'Prometheus',
      hosts: ['mq-1', 'mq-2'],
      runbook: 'https://kb.example.com/mq',
      query: 'queue_len > 10000',
      yLabel: 'Jobs',
      eventCount: 7,
      payload: { generatorURL: 'http://prom.example.com/graph?g0.expr=x', labels: { a: [1] } },
    });
    const text = await read();
    expect(text).toContain('href="http://prom.example.com/graph?g0.expr=x"');
    expect(text).toContain('href="https://kb.example.com/mq"');
    const seen = textOf(text);
    expect(seen).toContain('Jobs wait. Long.');
    expect(seen).toMatch(/Events 7 .*Service queue Monitoring tool Prometheus/);
    expect(seen).toMatch(/Hosts mq-1 mq-2 Runbook https:\/\/kb.example.com\/mq Metric Jobs Query/);
    expect(seen).toContain('queue_len > 10000 Y-axis Jobs');
    expect(seen).toContain('"labels": { "a": [ 1 ] }');
  });

  it('shows the fields of the payload one by one, nested ones with their path', async () => {
    const annotations = { summary: 'Backlog', team: 'mail', many: [1, 'two'] };
    const extra = Array.from({ length: 100 }, (_, at) => [`x${at}`, 'y'.repeat(600)]);
    const { read } = await makePlace({ payload: { annotations, ...Object.fromEntries(extra) } });
    const seen = textOf(await read());
    expect(seen).toContain('annotations.team mail annotations.many [1,"two"] x0 yyy');
    expect(seen).toContain('And 3 more.');
    expect(seen).toContain(` x96 ${'y'.repeat(499)}… And 3 more.`);
  });

  it('leaves what is no web address as text', async () => {
    const payload = { generatorURL: 'javascript:alert(1)' };
    const { read } = await makePlace({ runbook: ' javascript:alert(2)', payload });
    const text = await read();
    expect(text).not.toMatch(/href="\s*javascript:/i);
    expect(textOf(text)).toContain('javascript:alert(2)');
  });

  it('escapes whatever a tool sends', async () => {
    const fields = { title: XSS, description: XSS, service: XSS, hosts: [XSS], runbook: XSS };
    const { read } = await makePlace({ ...fields, query: XSS, payload: { [XSS]: XSS } });
    const text = await read();
    expect(text).not.toContain(XSS);
  });

  it('shows only the beginning of a payload that is very long', async () => {
    const { read } = await makePlace({ payload: { a: `${'x'.repeat(300_000)} the end` } });
    const text = await read();
    expect(textOf(text)).toContain('Truncated from 300 kB.');
    expect(text).not.toContain('the end');
  });

  it('changes its status in place for a live region', async () => {
    const { pages, path, alert } = await makePlace();
    const live = pages.post(`${path}/status`, { status: 'resolved' }).set('HX-Request', 'true');
    const { text } = await live.expect(200);
    expect(text).toMatch(/^<section id="alert"/);
    expect(textOf(text)).toContain(`Alert #${alert.iid} resolved`);
    expect((await rowOf(alert.id)).status).toBe(2);
  });

  it('lists the deliveries of its events, with links for maintainers only', async () => {
    const owner = await makeVisitor(app);
    const group = await makeOwnedGroup(app, owner);
    const project = await makeProject(app, { namespaceId: group.id });
    const { id, url, token } = await makeIntegration(app, project, { name: 'Disk watch' });
    const { pages, user } = await makeVisitor(app);
    await makeMember(app, { project, user, role: 'developer' });
    await postAlert(url, token, { title: 'Disk full' });
    await postAlert(url, token, { title: 'Disk full' });
    const path = `/${project.fullPath}/-/alert_management/1/details`;
    const seen = (await pages.get(path).expect(200)).text;
    expect(textOf(seen)).toMatch(/Events \(2\) .*Now Webhook × 2 20\d\d-.{5,20} UTC Started/);
    expect(seen).not.toContain('/deliveries/');
    const maintained = (await owner.pages.get(path).expect(200)).text;
    expect(maintained).toContain(`/-/settings/alert_integrations/${id}/deliveries/`);
  });

  it('gives its live part anew', async () => {
    const { pages, path, alert } = await makePlace();
    const { text } = await pages.get(`${path}/details/live?page=1`).expect(200);
    expect(text).toMatch(/^<section id="alert"/);
    expect(textOf(text)).toContain(alert.title);
  });

  it('does not exist for a number that no alert has, nor in another project', async () => {
    const { pages, path, project } = await makePlace();
    const other = await makePlace();
    await pages.get(`/${project.fullPath}/-/alert_management/999/details`).expect(404);
    await other.pages.get(`${path}/details`).expect(404);
    await pages.post(`/${project.fullPath}/-/alert_management/999/status`).expect(404);
  });
});

describe('an assignee', () => {
  it('is chosen from those who may read alerts, and taken away again', async () => {
    const { pages, user, alert, path, read } = await makePlace();
    expect(await read()).toContain(`<option value="${user.username}"`);
    await pages.post(`${path}/assignee`, { assignee: user.username }).expect(303);
    expect((await rowOf(alert.id)).assigneeId).toBe(user.id);
    const seen = textOf(await read());
    expect(seen).toContain(`assigned to @${user.username}`);
    await pages.post(`${path}/assignee`, { assignee: '' }).expect(303);
    expect((await rowOf(alert.id)).assigneeId).toBeNull();
  });

  it('is refused at the field when they may not read alerts', async () => {
    const { pages, alert, path } = await makePlace();
    const stranger = await makeUser(app);
    const { text } = await pages.post(`${path}/assignee`, { assignee: stranger.username });
    expect(textOf(text)).toContain('Assignee has no permissions.');
    expect(text).toMatch(/id="field-assignee"[^>]*aria-invalid="true"/);
    expect((await rowOf(alert.id)).assigneeId).toBeNull();
  });
});

describe('comments', () => {
  it('are Markdown, and stand with what the server noted, the oldest first', async () => {
    const { pages, alert, path, read } = await makePlace();
    await pages.post(`${path}/status`, { status: 'acknowledged' }).expect(303);
    await pages.post(`${path}/comments`, { body: `**Looking** ${XSS}` }).expect(303);
    const text = await read();
    expect(text).toContain('<strong>Looking</strong>');
    expect(text).not.toContain(XSS);
    expect(textOf(text)).toMatch(/changed the status to Acknowledged .*Looking/);
    expect(await app.dataSource.manager.countBy(Note, { alertId: alert.id })).toBe(2);
  });

  it('are refused without text, and kept in the form', async () => {
    const { pages, path } = await makePlace();
    const { text } = await pages.post(`${path}/comments`, { body: '  ' }).expect(422);
    expect(textOf(text)).toContain("The comment can't be blank.");
    expect(text).not.toMatch(/hx-get="[^"]*alert_management/);
  });
});

describe('an incident', () => {
  it('is opened for the alert once', async () => {
    const { pages, alert, path, read } = await makePlace({ title: 'Disk full' });
    await pages.post(`${path}/incident`).expect(303);
    const { issueId } = await rowOf(alert.id);
    const issue = await app.dataSource.manager.findOneByOrFail(Issue, { id: issueId ?? -1 });
    expect(issue.title).toBe('Disk full');
    expect(textOf(await read())).toContain(`#${issue.iid} Disk full`);
    await pages.post(`${path}/incident`).expect(303);
    expect(await app.dataSource.manager.countBy(Issue, { projectId: issue.projectId })).toBe(1);
  });

  it('is linked by its number, and unlinked', async () => {
    const { pages, project, alert, path } = await makePlace();
    const first = await makeAlert(app, project);
    const base = `/${project.fullPath}/-/alert_management`;
    await pages.post(`${base}/${first.iid}/incident`).expect(303);
    await pages.post(`${path}/incident/link`, { issue_iid: '#1' }).expect(303);
    expect((await rowOf(alert.id)).issueId).toBe((await rowOf(first.id)).issueId);
    const shown = await pages.get(`/${project.fullPath}/-/issues/incident/1`).expect(200);
    expect(textOf(shown.text)).toContain(`#${alert.iid} ${alert.title}`);
    expect(textOf(shown.text)).toContain(`#${first.iid} ${first.title}`);
    await pages.post(`${path}/incident/unlink`).expect(303);
    expect((await rowOf(alert.id)).issueId).toBeNull();
    await pages.post(`${path}/incident/unlink`).expect(303);
  });

  it('is refused at the field when there is none with the number', async () => {
    const { pages, path } = await makePlace();
    for (const number of ['99', 'x', '']) {
      const { text } = await pages.post(`${path}/incident/link`, { issue_iid: number }).expect(422);
      expect(text).toMatch(/id="field-issue_iid"[^>]*aria-invalid="true"/);
    }
  });

  it('is not offered where issues are turned off', async () => {
    const { pages, path, read } = await makePlace({}, { issuesEnabled: false });
    expect(await read()).not.toContain('Create incident');
    await pages.post(`${path}/incident`).expect(303);
    expect(textOf(await read())).not.toContain('Incident');
  });
});

describe('an alert of an archived project', () => {
  it('stays as it is', async () => {
    const { pages, alert, path } = await makePlace({}, { archived: true });
    await pages.post(`${path}/status`, { status: 'resolved' }).expect(303);
    await pages.post(`${path}/comments`, { body: 'Hi' }).expect(422);
    await pages.post(`${path}/assignee`, { assignee: '' }).expect(422);
    expect((await rowOf(alert.id)).status).toBe(0);
  });
});
