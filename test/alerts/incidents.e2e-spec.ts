import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { Alert } from '../../src/alerts/alert.entity.js';
import { Issue } from '../../src/workspace/issues/issue.entity.js';
import type { Project } from '../../src/workspace/projects/project.entity.js';
import { makeAlert, setAlertSettings, type MadeAlert } from '../support/alert-factories.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { makeMember, makeOwnedGroup, makeProject } from '../support/project-factories.js';
import type { MadeGroup, MadeProject } from '../support/project-factories.js';
import { startTestWorker } from '../support/worker.js';
import { makeReaction, react, systemNotes, waitingReactions } from './reactions.js';

let app: OwnTestApp;
let worker: INestApplicationContext;
let owner: MadeActor;
let group: MadeGroup;
beforeAll(async () => {
  app = await startTestApp();
  worker = await startTestWorker(app);
  owner = await makeActor(app);
  group = await makeOwnedGroup(app, owner);
});
afterAll(async () => {
  await worker.close();
  await app.close();
});

type Features = Partial<Pick<Project, 'archived' | 'issuesEnabled'>>;

async function projectWith(features: Features = {}): Promise<MadeProject> {
  const project = await makeProject(app, { ...features, namespaceId: group.id });
  await setAlertSettings(app, project, { createIssue: true });
  return project;
}

async function fire(project: { id: number }, attributes: Partial<Alert> = {}): Promise<MadeAlert> {
  const alert = await makeAlert(app, project, attributes);
  await makeReaction(app, alert, 'open_incident');
  return alert;
}

const alertRow = ({ id }: { id: number }): Promise<Alert> =>
  app.dataSource.manager.findOneByOrFail(Alert, { id });
const issuesOf = ({ id }: { id: number }): Promise<Issue[]> =>
  app.dataSource.manager.find(Issue, { where: { projectId: id }, order: { iid: 'ASC' } });

async function incidentOf(alert: { id: number }): Promise<Issue> {
  const { issueId } = await alertRow(alert);
  return app.dataSource.manager.findOneByOrFail(Issue, { id: issueId ?? 0 });
}

describe('an alert of a project that opens incidents', () => {
  it('gets one, by the alert bot, with what it tells', async () => {
    const project = await projectWith();
    const alert = await fire(project, {
      title: 'Disk full',
      severity: 0,
      startedAt: new Date('2026-03-01T10:00:00Z'),
      service: 'db',
      monitoringTool: 'Datadog',
      hosts: ['web01', 'web02'],
      description: 'No space is left',
    });
    await react(worker);
    const page = `${app.url}/${project.fullPath}/-/alert_management/${alert.iid}/details`;
    const { id } = await incidentOf(alert);
    const answer = await owner.api.get(`/projects/${project.id}/issues/1`);
    expect(answer.body).toMatchObject({
      id,
      iid: 1,
      title: 'Disk full',
      issue_type: 'incident',
      severity: 'CRITICAL',
      state: 'opened',
      author: { username: 'alert-bot', name: 'Alert Bot' },
      description: [
        '**Start time:** 01 March 2026, 10:00AM (UTC)  ',
        '**Severity:** critical  ',
        '**Service:** db  ',
        '**Monitoring tool:** Datadog  ',
        '**Hosts:** web01 web02  ',
        '**Description:** No space is left  ',
        `**Alert:** ${page}  \n`,
      ].join('\n'),
    });
    expect(await systemNotes(app, { alertId: alert.id })).toEqual([
      { author: 'alert-bot', body: 'created incident #1 for this alert' },
    ]);
    expect(await waitingReactions(app)).toEqual([]);
  });

  it('gets no second one', async () => {
    const project = await projectWith();
    const alert = await fire(project);
    await react(worker);
    await makeReaction(app, alert, 'open_incident');
    await react(worker);
    expect(await issuesOf(project)).toHaveLength(1);
    expect(await waitingReactions(app)).toEqual([]);
  });

  it('names an incident of an alert without title by its number', async () => {
    const project = await projectWith();
    await fire(project, { title: 'New: Alert' });
    await fire(project, { title: 'New: Alert' });
    await react(worker);
    const titles = (await issuesOf(project)).map(({ title }) => title);
    expect(titles).toEqual(['New: Incident 1', 'New: Incident 2']);
  });

  it('gives the incident a severity that issues know', async () => {
    const project = await projectWith();
    const alerts = [0, 1, 2, 3, 4, 5].map((severity) => () => fire(project, { severity }));
    for (const make of alerts) await make();
    await react(worker);
    const severities = (await issuesOf(project)).map(({ severity }) => severity);
    expect(severities).toEqual(['critical', 'high', 'medium', 'low', 'unknown', 'unknown']);
  });

  it.each<[string, { status?: number; createIssue?: boolean; features?: Features }]>([
    ['is resolved meanwhile', { status: 2 }],
    ['fires where incidents are off by now', { createIssue: false }],
    ['fires where issues are turned off', { features: { issuesEnabled: false } }],
    ['fires in an archived project', { features: { archived: true } }],
  ])('gets none when it %s', async (_, { status = 0, createIssue = true, features }) => {
    const project = await projectWith(features);
    await setAlertSettings(app, project, { createIssue });
    const alert = await fire(project, { status });
    await react(worker);
    expect(await issuesOf(project)).toEqual([]);
    expect((await alertRow(alert)).issueId).toBeNull();
    expect(await waitingReactions(app)).toEqual([]);
  });
});

describe('the text of an incident', () => {
  const template = '## What to do\n\n- [ ] look';
  it.each([
    ['.gitlab/issue_templates/Incident.md', 'Incident', template],
    ['.guildhall/issue_templates/Incident.md', 'Incident', template],
    ['.gitlab/issue_templates/Other.md', 'Incident', null],
    ['secret.md', '../../secret', null],
    ['.gitlab/issue_templates/sub/Incident.md', 'sub/Incident', null],
    ['.gitlab/issue_templates/--help.md', '--help', template],
  ])('with the template of %s asked for as %s', async (path, issueTemplateKey, expected) => {
    const files = { 'README.md': 'x', [path]: `${template}\n` };
    const project = await makeProject(app, { namespaceId: group.id, files });
    await setAlertSettings(app, project, { createIssue: true, issueTemplateKey });
    const alert = await fire(project, { incidentMarkdown: 'Call **Sam**' });
    await react(worker);
    const blocks = (await incidentOf(alert)).description?.split('\n\n---\n\n').slice(1);
    expect(blocks).toEqual(['Call **Sam**', ...(expected === null ? [] : [expected])]);
  });

  it('goes without a template that is too large, or whose repository is not there', async () => {
    const path = '.gitlab/issue_templates/Incident.md';
    const files = { [path]: 'x'.repeat(300_000) };
    const large = await makeProject(app, { namespaceId: group.id, files });
    const lost = await makeProject(app, { namespaceId: group.id, emptyRepo: false });
    for (const project of [large, lost]) {
      const settings = { createIssue: true, issueTemplateKey: 'Incident' };
      await setAlertSettings(app, project, settings);
      const alert = await fire(project);
      await react(worker);
      expect((await incidentOf(alert)).description).not.toContain('---');
    }
  });
});

describe('an incident whose alerts recover', () => {
  async function incidentWith(statuses: number[]): Promise<{ alerts: MadeAlert[]; issue: Issue }> {
    const project = await projectWith();
    const first = await fire(project);
    await react(worker);
    const issue = await incidentOf(first);
    const others = statuses.slice(1).map(async () => {
      const alert = await makeAlert(app, project);
      await app.dataSource.manager.update(Alert, { id: alert.id }, { issueId: issue.id });
      return alert;
    });
    const alerts = [first, ...(await Promise.all(others))];
    for (const [position, { id }] of alerts.entries()) {
      const status = statuses[position] ?? 0;
      const endedAt = status === 2 ? new Date() : null;
      await app.dataSource.manager.update(Alert, { id }, { status, endedAt });
    }
    return { alerts, issue };
  }
  const recovered = async (alerts: MadeAlert[]): Promise<void> => {
    for (const alert of alerts) await makeReaction(app, alert, 'close_incident');
    await react(worker);
    expect(await waitingReactions(app)).toEqual([]);
  };
  const stateOf = async ({ id }: Issue): Promise<string> =>
    (await app.dataSource.manager.findOneByOrFail(Issue, { id })).state;

  it('is closed by the alert bot, with a note', async () => {
    const { alerts, issue } = await incidentWith([2]);
    await recovered(alerts);
    const answer = await owner.api.get(`/projects/${issue.projectId}/issues/${issue.iid}`);
    expect(answer.body).toMatchObject({
      state: 'closed',
      closed_by: { username: 'alert-bot' },
      closed_at: expect.any(String),
    });
    const notes = await systemNotes(app, { issueId: issue.id });
    expect(notes.at(-1)).toEqual({
      author: 'alert-bot',
      body: 'automatically closed this incident because the alert resolved',
    });
  });

  it('stays open until the last of its alerts is resolved', async () => {
    const { alerts, issue } = await incidentWith([2, 1, 2]);
    await recovered(alerts.slice(0, 1));
    expect(await stateOf(issue)).toBe('opened');
    for (const { id } of alerts) {
      await app.dataSource.manager.update(Alert, { id }, { status: 2, endedAt: new Date() });
    }
    await recovered(alerts.slice(1));
    expect(await stateOf(issue)).toBe('closed');
    const notes = await systemNotes(app, { issueId: issue.id });
    expect(notes.filter(({ body }) => body.startsWith('automatically closed'))).toHaveLength(1);
  });

  it('stays open where that is turned off', async () => {
    const { alerts, issue } = await incidentWith([2]);
    await setAlertSettings(app, { id: issue.projectId }, { autoCloseIncident: false });
    await recovered(alerts);
    expect(await stateOf(issue)).toBe('opened');
  });

  it('is unchanged when it was closed, or became an issue', async () => {
    const { alerts, issue } = await incidentWith([2]);
    await app.dataSource.manager.update(Issue, { id: issue.id }, { issueType: 'issue' });
    await recovered(alerts);
    expect(await stateOf(issue)).toBe('opened');
    expect(await systemNotes(app, { issueId: issue.id })).toEqual([]);
  });
});

describe('people and the worker', () => {
  it('number issues together', async () => {
    const project = await projectWith();
    const developer = await makeActor(app);
    await makeMember(app, { project, user: developer.user, role: 'developer' });
    for (let count = 0; count < 30; count += 1) await fire(project);
    const posts = Array.from({ length: 10 }, () =>
      developer.api.post(`/projects/${project.id}/issues`, { title: 'By hand' }),
    );
    await Promise.all([react(worker), ...posts]);
    const iids = (await issuesOf(project)).map(({ iid }) => iid);
    expect(iids).toEqual(Array.from({ length: 40 }, (_, position) => position + 1));
  });
});
