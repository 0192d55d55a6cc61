import { beforeAll, describe, expect, it } from '@jest/globals';
import { STATUS } from '../../src/alerts/alert-values.js';
import { IssueStates } from '../../src/workspace/issues/issue-states.service.js';
import { makeAlert, setAlertSettings } from '../support/alert-factories.js';
import type { ApiClient } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeMemberOf } from '../support/project-factories.js';
import { makeManaged, notesOf, type ManagedProject } from './managed.js';

let app: TestApp;

beforeAll(async () => {
  app = await sharedTestApp();
});

interface IssueBody {
  id: number;
  iid: number;
}

async function makeIssue(client: ApiClient, { project }: ManagedProject, body: object = {}) {
  const response = await client.post(`/projects/${project.id}/issues`, { title: 'I', ...body });
  expect(response.status).toBe(201);
  return response.body as IssueBody;
}

describe('opening an incident for an alert', () => {
  it.each([
    [true, 404],
    [false, 200],
  ])('answers guests, when it is confidential: %s, with %i', async (confidential, status) => {
    const { project, alerts, developer } = await makeManaged(app);
    await setAlertSettings(app, project, { confidentialIncidents: confidential });
    const { iid } = await makeAlert(app, project, { title: 'Disk full' });
    const opened = await developer.api.post(`${alerts}/${iid}/issue`).expect(201);
    expect(opened.body).toMatchObject({ confidential });
    const guest = await makeMemberOf(app, project, 'guest');
    const shown = await guest.api.get(`/projects/${project.id}/issues/1`);
    expect(shown.status).toBe(status);
  });

  it('answers the incident, which tells what the alert tells', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    const { id, iid } = await makeAlert(app, project, {
      title: 'Disk full',
      severity: 1,
      service: 'db_1',
      hosts: ['web01'],
      startedAt: new Date('2026-03-01T10:00:00Z'),
      incidentMarkdown: '## Graph',
    });
    const opened = await developer.api.post(`${alerts}/${iid}/issue`);
    const shown = await developer.api.get(`/projects/${project.id}/issues/1`);
    const webUrl = `${app.url}/${project.fullPath}/-/alert_management/1/details`;

    expect(opened.status).toBe(201);
    expect(opened.body).toEqual(shown.body);
    expect(opened.body).toMatchObject({
      iid: 1,
      title: 'Disk full',
      issue_type: 'incident',
      type: 'INCIDENT',
      severity: 'HIGH',
      state: 'opened',
      author: { id: developer.user.id },
      description: [
        '**Start time:** 01 March 2026, 10:00AM (UTC)',
        '**Severity:** high',
        '**Service:** db\\_1',
        '**Hosts:** web01',
        `**Alert:** ${webUrl}`,
        '\n---\n\n## Graph',
      ].join('  \n'),
    });
    expect((await developer.api.get(`${alerts}/${iid}`)).body).toMatchObject({
      issue: { id: (opened.body as IssueBody).id, iid: 1, title: 'Disk full', state: 'opened' },
      status: 'triggered',
    });
    expect(await notesOf(app, id)).toEqual(['created incident #1 for this alert']);
  });

  it('names an incident without title by its number, and ends with the template', async () => {
    const { project, alerts, developer } = await makeManaged(app, {
      files: { '.gitlab/issue_templates/ops.md': '## Steps\n\n- [ ] look\n' },
    });
    await setAlertSettings(app, project, { issueTemplateKey: 'ops' });
    await makeAlert(app, project, { title: 'New: Alert', severity: 4 });
    const { body } = await developer.api.post(`${alerts}/1/issue`);

    expect(body).toMatchObject({
      title: 'New: Incident 1',
      severity: 'UNKNOWN',
      description: expect.stringMatching(/details {2}\n\n---\n\n## Steps\n\n- \[ \] look$/),
    });
  });

  it('happens once, however many ask for it', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    const { id, iid } = await makeAlert(app, project);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => developer.api.post(`${alerts}/${iid}/issue`)),
    );
    const statuses = answers.map(({ status }) => status).sort();

    expect(statuses).toEqual([201, 409, 409, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toEqual({
      message: 'An issue already exists',
    });
    expect(await notesOf(app, id)).toHaveLength(1);
    const issues = await developer.api.get(`/projects/${project.id}/issues`);
    expect(issues.body).toHaveLength(1);
  });

  it('is refused below Developer, without issues, in archived projects and without alert', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    const reporter = await makeMemberOf(app, project, 'reporter');
    await makeAlert(app, project);

    expect((await reporter.api.post(`${alerts}/1/issue`)).status).toBe(403);
    expect((await developer.api.post(`${alerts}/2/issue`)).body).toEqual({
      message: '404 Not found',
    });
    for (const closed of [{ issuesEnabled: false }, { archived: true }]) {
      const place = await makeManaged(app, closed);
      await makeAlert(app, place.project);
      expect((await place.developer.api.post(`${place.alerts}/1/issue`)).status).toBe(403);
      expect((await place.developer.api.delete(`${place.alerts}/1/issue`)).status).toBe(403);
    }
  });
});

describe('linking an alert to an issue that is there', () => {
  it('answers the issue; several alerts may share one', async () => {
    const place = await makeManaged(app);
    const { project, alerts, developer } = place;
    const issue = await makeIssue(developer.api, place);
    const [one, two] = [await makeAlert(app, project), await makeAlert(app, project)];
    const body = { issue_iid: issue.iid };
    const linked = await developer.api.post(`${alerts}/${one.iid}/issue`, body);

    expect([linked.status, linked.body]).toEqual([200, expect.objectContaining(issue)]);
    expect((await developer.api.post(`${alerts}/${two.iid}/issue`, body)).status).toBe(200);
    expect((await developer.api.post(`${alerts}/${two.iid}/issue`, body)).status).toBe(409);
    expect(await notesOf(app, one.id)).toEqual(['linked issue #1 to this alert']);
    expect((await developer.api.get(`/projects/${project.id}/issues`)).body).toHaveLength(1);
  });

  it('finds issues of the same project only', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    const { id } = await makeAlert(app, project);
    const other = await makeManaged(app);
    await makeIssue(other.developer.api, other);

    for (const iid of [1, 0, -1, 99_999_999_999]) {
      const response = await developer.api.post(`${alerts}/1/issue`, { issue_iid: iid });
      expect([response.status, response.body]).toEqual([404, { message: '404 Not found' }]);
    }
    const refused = await developer.api.post(`${alerts}/1/issue`, { issue_iid: 'x' });
    expect(refused.body).toMatchObject({ error: 'issue_iid is invalid' });
    expect(await notesOf(app, id)).toEqual([]);
  });

  it('can be undone', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    const { id } = await makeAlert(app, project);
    await developer.api.post(`${alerts}/1/issue`);
    const removed = await developer.api.delete(`${alerts}/1/issue`);

    expect([removed.status, removed.text]).toEqual([204, '']);
    expect((await developer.api.get(`${alerts}/1`)).body).toMatchObject({ issue: null });
    expect((await developer.api.get(`/projects/${project.id}/issues/1`)).status).toBe(200);
    expect((await notesOf(app, id)).at(-1)).toBe('unlinked issue #1 from this alert');
    expect((await developer.api.delete(`${alerts}/1/issue`)).body).toEqual({
      message: '404 Issue Not Found',
    });
    expect((await developer.api.post(`${alerts}/1/issue`)).body).toMatchObject({ iid: 2 });
  });
});

describe('closing an incident', () => {
  it('resolves its alerts in the name of who closes it', async () => {
    const place = await makeManaged(app);
    const { project, alerts, developer } = place;
    const first = await makeAlert(app, project);
    const second = await makeAlert(app, project, { status: STATUS.ignored });
    const over = await makeAlert(app, project, {
      status: STATUS.resolved,
      endedAt: new Date('2026-03-01T10:00:00Z'),
    });
    const apart = await makeAlert(app, project);
    await developer.api.post(`${alerts}/1/issue`);
    for (const { iid } of [second, over]) {
      await developer.api.post(`${alerts}/${iid}/issue`, { issue_iid: 1 });
    }
    const maintainer = await makeMemberOf(app, project, 'maintainer');
    const close = { state_event: 'close' };
    const closed = await maintainer.api.put(`/projects/${project.id}/issues/1`, close);

    expect([closed.status, closed.body]).toMatchObject([200, { state: 'closed' }]);
    for (const { id, iid } of [first, second]) {
      expect((await developer.api.get(`${alerts}/${iid}`)).body).toMatchObject({
        status: 'resolved',
        ended_at: expect.any(String),
        issue: { state: 'closed' },
      });
      const notes = await developer.api.get(`${alerts}/${iid}/notes?per_page=1`);
      expect(notes.body).toMatchObject([
        {
          body: 'changed the status to **Resolved** by closing issue #1',
          author: { id: maintainer.user.id },
          noteable_id: id,
        },
      ]);
    }
    expect((await developer.api.get(`${alerts}/${over.iid}`)).body).toMatchObject({
      ended_at: '2026-03-01T10:00:00.000Z',
    });
    expect((await developer.api.get(`${alerts}/${apart.iid}`)).body).toMatchObject({
      status: 'triggered',
    });
    await maintainer.api.put(`/projects/${project.id}/issues/1`, { state_event: 'reopen' });
    expect((await developer.api.get(`${alerts}/1`)).body).toMatchObject({ status: 'resolved' });
  });

  it('that fails resolves nothing', async () => {
    const place = await makeManaged(app);
    const { project, alerts, developer } = place;
    await makeAlert(app, project);
    const { id } = (await developer.api.post(`${alerts}/1/issue`)).body as IssueBody;
    const closing = app.dataSource.transaction(async (tx) => {
      await app.app
        .get(IssueStates, { strict: false })
        .close(tx, [id], { actorId: developer.user.id });
      throw new Error('lost');
    });

    await expect(closing).rejects.toThrow('lost');
    expect((await developer.api.get(`${alerts}/1`)).body).toMatchObject({ status: 'triggered' });
  });
});
