import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { STATUS } from '../../src/alerts/alert-values.js';
import { Issue } from '../../src/workspace/issues/issue.entity.js';
import {
  makeAlert,
  makeEnvironment,
  makeIntegration,
  monitoringBody,
  monitoringItem,
  postAlert,
} from '../support/alert-factories.js';
import { api, type ApiClient } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor } from '../support/factories.js';
import { makeMemberOf } from '../support/project-factories.js';
import { makeManaged, type ManagedProject } from './managed.js';

let app: TestApp;

beforeAll(async () => {
  app = await sharedTestApp();
});

interface AlertBody {
  iid: number;
  title: string;
  [key: string]: unknown;
}

async function titlesOf(client: ApiClient, path: string): Promise<string[]> {
  const response = await client.get(path);
  expect([response.status, response.body]).toEqual([200, expect.any(Array)]);
  return (response.body as AlertBody[]).map(({ title }) => title);
}

async function makeIssue(projectId: number, authorId: number, iid = 1): Promise<number> {
  const issue = { projectId, iid, authorId, title: 'Disk', issueType: 'incident' } as const;
  const inserted = await app.dataSource.manager.insert(Issue, issue);
  return (inserted.identifiers[0] as { id: number }).id;
}

describe('one alert', () => {
  it('has all its fields, what its tool sent, and what it names', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    const environment = await makeEnvironment(app, project, { name: 'production' });
    const issueId = await makeIssue(project.id, developer.user.id, 5);
    const { id, iid } = await makeAlert(app, project, {
      title: 'Disk full',
      description: 'No space',
      service: 'db',
      monitoringTool: 'Datadog',
      runbook: 'https://kb.example.com/disk',
      query: 'disk_free == 0',
      yLabel: 'Free',
      severity: 1,
      status: STATUS.resolved,
      fingerprint: createHash('sha1').update('disk-full-web01').digest(),
      hosts: ['web01', 'web02'],
      payload: { annotations: { title: 'Disk full', foo: { bar: 42 }, tags: ['a', { b: 1 }] } },
      eventCount: 3,
      startedAt: new Date('2026-03-01T10:00:00.123Z'),
      endedAt: new Date('2026-03-01T11:00:00Z'),
      lastEventAt: new Date('2026-03-01T10:30:00Z'),
      createdAt: new Date('2026-03-01T10:00:01Z'),
      updatedAt: new Date('2026-03-01T11:00:01Z'),
      environmentId: environment.id,
      issueId,
      assigneeId: developer.user.id,
    });
    const response = await developer.api.get(`${alerts}/${iid}`);
    const { user } = developer;

    expect([response.status, response.body]).toEqual([
      200,
      {
        id,
        iid: 1,
        project_id: project.id,
        title: 'Disk full',
        description: 'No space',
        service: 'db',
        monitoring_tool: 'Datadog',
        runbook: 'https://kb.example.com/disk',
        query: 'disk_free == 0',
        y_label: 'Free',
        severity: 'high',
        status: 'resolved',
        fingerprint: '3fe9dea383962bc1e8ab5479409565317a0b774d',
        silenced: false,
        event_count: 3,
        hosts: ['web01', 'web02'],
        started_at: '2026-03-01T10:00:00.123Z',
        ended_at: '2026-03-01T11:00:00.000Z',
        last_event_at: '2026-03-01T10:30:00.000Z',
        created_at: '2026-03-01T10:00:01.000Z',
        updated_at: '2026-03-01T11:00:01.000Z',
        environment: { id: environment.id, name: 'production' },
        issue: {
          id: issueId,
          iid: 5,
          title: 'Disk',
          state: 'opened',
          web_url: `${app.url}/${project.fullPath}/-/issues/5`,
        },
        assignees: [
          {
            id: user.id,
            username: user.username,
            name: user.name,
            state: 'active',
            locked: false,
            avatar_url: null,
            web_url: `${app.url}/${user.username}`,
          },
        ],
        web_url: `${app.url}/${project.fullPath}/-/alert_management/1/details`,
        details: {
          'annotations.title': 'Disk full',
          'annotations.foo.bar': 42,
          'annotations.tags': ['a', { b: 1 }],
        },
        payload: { annotations: { title: 'Disk full', foo: { bar: 42 }, tags: ['a', { b: 1 }] } },
      },
    ]);
  });

  it('shows nothing of other projects, whatever its row names', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    const other = await makeManaged(app);
    const environment = await makeEnvironment(app, other.project);
    const issueId = await makeIssue(other.project.id, developer.user.id);
    const { iid } = await makeAlert(app, project, { environmentId: environment.id, issueId });

    expect((await developer.api.get(`${alerts}/${iid}`)).body).toMatchObject({
      environment: null,
      issue: null,
    });
  });

  it('hides its issue where issues are turned off', async () => {
    const { project, alerts, developer } = await makeManaged(app, { issuesEnabled: false });
    const issueId = await makeIssue(project.id, developer.user.id);
    const { iid } = await makeAlert(app, project, { issueId });

    expect((await developer.api.get(`${alerts}/${iid}`)).body).toMatchObject({ issue: null });
  });

  it('is found by its number in the project only', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    const other = await makeManaged(app);
    await makeAlert(app, other.project);
    const { id } = await makeAlert(app, project, { iid: 7 });

    expect((await developer.api.get(`${alerts}/7`)).status).toBe(200);
    for (const wrong of [1, id + 1000, 99999999999999]) {
      const response = await developer.api.get(`${alerts}/${wrong}`);
      expect([response.status, response.body]).toEqual([404, { message: '404 Not found' }]);
    }
    expect((await developer.api.get(`${alerts}/x`)).body).toMatchObject({
      error: 'alert_iid is invalid',
    });
  });
});

describe('an alert that came by the webhook', () => {
  it('has the environment of exactly its name in the project, else none', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    const elsewhere = await makeManaged(app);
    const { id } = await makeEnvironment(app, project, { name: 'production' });
    await makeEnvironment(app, elsewhere.project, { name: 'nope' });
    const { url, token } = await makeIntegration(app, project);
    const environments: unknown[] = [];
    for (const name of ['production', 'nope', 'Production']) {
      const body = { title: `On ${name}`, svc_environment_name: name };
      const response = await postAlert(url, token, body);
      const [touched] = (await response.json()) as { iid: number }[];
      const shown = await developer.api.get(`${alerts}/${touched?.iid}`);
      environments.push((shown.body as AlertBody)['environment']);
    }

    expect(environments).toEqual([{ id, name: 'production' }, null, null]);
  });

  it('shows unknown fields in its details', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    const { url, token } = await makeIntegration(app, project);
    const payload = { title: 'A', foo: { bar: { baz: 42 } } };
    await postAlert(url, token, payload);

    expect((await developer.api.get(`${alerts}/1`)).body).toMatchObject({
      details: { title: 'A', 'foo.bar.baz': 42 },
      payload,
    });
  });

  it('omits undefined attributes of the monitoring format from its details', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    const { url, token } = await makeIntegration(app, project);
    const annotations = { team: { name: 'ops' } };
    const item = { ...monitoringItem('A'), annotations, silenceURL: 'http://g.example/' };
    await postAlert(url, token, monitoringBody([item]));

    const { body } = await developer.api.get(`${alerts}/1`).expect(200);
    expect(body).toMatchObject({ payload: item });
    expect((body as AlertBody)['details']).toEqual({
      status: 'firing',
      startsAt: item.startsAt,
      endsAt: item.endsAt,
      generatorURL: item.generatorURL,
      'labels.alertname': 'A',
      'annotations.team.name': 'ops',
    });
  });
});

describe('who reads alerts', () => {
  it.each(['/alert_management_alerts', '/alert_management_alerts/1'])(
    'at %s are Developers and above, 404 hides a hidden project',
    async (rest) => {
      const shown = await makeManaged(app, { visibility: 'internal' });
      await makeAlert(app, shown.project);
      const hidden = await makeManaged(app);
      await makeAlert(app, hidden.project);
      const reporter = await makeMemberOf(app, shown.project, 'reporter');
      const stranger = await makeActor(app);
      const path = `/projects/${shown.project.id}${rest}`;

      expect((await reporter.api.get(path)).body).toEqual({ message: '403 Forbidden' });
      expect((await stranger.api.get(path)).status).toBe(403);
      expect((await shown.developer.api.get(path)).status).toBe(200);
      expect((await api(app.url).get(path)).status).toBe(404);
      const unseen = await stranger.api.get(`/projects/${hidden.project.id}${rest}`);
      expect([unseen.status, unseen.body]).toEqual([404, { message: '404 Project Not Found' }]);
    },
  );
});

describe('the list of alerts', () => {
  it('has the latest first, in pages, without what the tools sent', async () => {
    const { project, alerts, developer } = await makeManaged(app);
    for (const day of [2, 3, 1]) {
      const startedAt = new Date(`2026-03-0${day}T00:00:00Z`);
      await makeAlert(app, project, { title: `March ${day}`, startedAt });
    }
    await makeAlert(app, (await makeManaged(app)).project, { title: 'elsewhere' });
    const response = await developer.api.get(`${alerts}?per_page=2`);
    const [first] = response.body as AlertBody[];

    expect((response.body as AlertBody[]).map(({ title }) => title)).toEqual([
      'March 3',
      'March 2',
    ]);
    expect(response.headers).toMatchObject({ 'x-total': '3', 'x-next-page': '2' });
    expect(Object.keys(first ?? {})).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(payload|details)$/)]),
    );
    expect(first).toMatchObject({ status: 'triggered', assignees: [], environment: null });
    expect(await titlesOf(developer.api, `${alerts}?per_page=2&page=2`)).toEqual(['March 1']);
  });

  describe('filtered', () => {
    let place: ManagedProject;

    beforeAll(async () => {
      place = await makeManaged(app);
      const { project, developer } = place;
      const { id: environmentId } = await makeEnvironment(app, project, { name: 'production' });
      const elsewhere = await makeManaged(app);
      await makeEnvironment(app, elsewhere.project, { name: 'staging' });
      const at = (day: number) => new Date(Date.UTC(2026, 2, day));
      await makeAlert(app, project, {
        title: 'a',
        severity: 3,
        startedAt: at(1),
        createdAt: at(11),
        description: 'Disk FULL 100%',
        service: 'billing',
        environmentId,
        assigneeId: developer.user.id,
        eventCount: 9,
      });
      await makeAlert(app, project, {
        title: 'b disk',
        severity: 0,
        startedAt: at(2),
        createdAt: at(12),
        status: STATUS.acknowledged,
        monitoringTool: 'Full Monitor',
        payload: { secretword: 'disk' },
        eventCount: 4,
      });
      await makeAlert(app, project, {
        title: 'c',
        severity: 5,
        startedAt: at(3),
        createdAt: at(13),
        status: STATUS.resolved,
        endedAt: at(20),
        eventCount: 5,
      });
      await makeAlert(app, project, {
        title: 'd',
        severity: 0,
        startedAt: at(4),
        createdAt: at(14),
        status: STATUS.ignored,
      });
    });

    it.each([
      ['status=triggered', 'a'],
      ['status[]=resolved&status[]=ignored', 'dc'],
      ['status=open', 'ba'],
      ['status=open,resolved', 'cba'],
      ['severity[]=critical', 'db'],
      ['severity=low,unknown', 'ca'],
      ['iid=2', 'b'],
      ['iids[]=1&iids[]=4', 'da'],
      ['iids=1,4', 'da'],
      ['search=disk', 'ba'],
      ['search=full%20DISK', 'ba'],
      ['search=100%25', 'a'],
      ['search=%25', 'a'],
      ['search=_', ''],
      ['search=bill%20disk', 'a'],
      ['search=monitor', 'b'],
      ['search=secretword', ''],
      ['search=full%20b%20nothing', ''],
      ['assignee_username=None', 'dcb'],
      ['assignee_username=Any', 'a'],
      ['assignee_username=nobody-of-this-name', ''],
      ['environment=production', 'a'],
      ['environment=staging', ''],
      ['started_after=2026-03-03', 'dc'],
      ['started_before=2026-03-02T00:00:00Z', 'ba'],
      ['created_after=2026-03-13&created_before=2026-03-13', 'c'],
      ['sort=asc', 'abcd'],
      ['order_by=severity', 'dbac'],
      ['order_by=severity&sort=asc', 'cabd'],
      ['order_by=status', 'abcd'],
      ['order_by=status&sort=asc', 'dcba'],
      ['order_by=event_count', 'acbd'],
      ['order_by=ended_at', 'cdba'],
      ['order_by=ended_at&sort=asc', 'cabd'],
      ['order_by=created_at&sort=asc', 'abcd'],
    ])('by %s has %j', async (query, expected) => {
      const titles = await titlesOf(place.developer.api, `${place.alerts}?${query}`);

      expect(titles.map((title) => title.charAt(0)).join('')).toBe(expected);
    });

    it('by the name of an assignee, in any case', async () => {
      const name = place.developer.user.username.toUpperCase();

      expect(
        await titlesOf(place.developer.api, `${place.alerts}?assignee_username=${name}`),
      ).toEqual(['a']);
    });

    it.each([
      ['status=done', 'status does not have a valid value'],
      ['severity[]=high&severity[]=blocker', 'severity does not have a valid value'],
      ['order_by=payload', 'order_by does not have a valid value'],
      ['sort=up', 'sort does not have a valid value'],
      ['iid=one', 'iid is invalid'],
      ['started_after=yesterday', 'started_after is invalid'],
      ['search[]=a', 'search is invalid'],
      ['per_page=0', 'per_page has a value not allowed'],
    ])('refuses %s', async (query, error) => {
      const response = await place.developer.api.get(`${place.alerts}?${query}`);

      expect([response.status, response.body]).toEqual([
        400,
        { message: `400 (Bad request) ${error}`, error },
      ]);
    });

    it('is counted by status', async () => {
      const path = `/projects/${place.project.id}/alert_management_alerts_statistics`;
      const counts = { all: 4, open: 2, triggered: 1, acknowledged: 1, resolved: 1, ignored: 1 };
      const response = await place.developer.api.get(path);

      expect([response.status, response.body]).toEqual([200, { statistics: { counts } }]);
      expect((await place.developer.api.get(`${path}?search=disk`)).body).toEqual({
        statistics: {
          counts: { all: 2, open: 2, triggered: 1, acknowledged: 1, resolved: 0, ignored: 0 },
        },
      });
      expect((await place.developer.api.get(`${path}?assignee_username=none`)).body).toMatchObject({
        statistics: { counts: { all: 3 } },
      });
    });
  });
});
