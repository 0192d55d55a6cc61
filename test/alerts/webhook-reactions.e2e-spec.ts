import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { OutgoingMail } from '../../src/core/mail/outgoing-mail.entity.js';
import { startMailServer, type MailServer } from '../mail/mail-server.js';
import {
  makeIntegration,
  postAlert,
  setAlertSettings,
  type MadeIntegration,
} from '../support/alert-factories.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { makeOwnedGroup, makeProject } from '../support/project-factories.js';
import { startTestWorker } from '../support/worker.js';
import { dueEmails, endEmailWindows, react, systemNotes, waitingReactions } from './reactions.js';

let app: OwnTestApp;
let server: MailServer;
let worker: INestApplicationContext;
let owner: MadeActor;
beforeAll(async () => {
  [app, server] = await Promise.all([startTestApp(), startMailServer()]);
  worker = await startTestWorker(app, { smtpUrl: server.url });
  owner = await makeActor(app);
});
afterAll(async () => {
  await worker.close();
  await server.close();
  await app.close();
});

interface Setup {
  integration: MadeIntegration;
  /** Path of the project in the API. */
  path: string;
}

async function setUp(settings: Parameters<typeof setAlertSettings>[2]): Promise<Setup> {
  const { id: namespaceId } = await makeOwnedGroup(app, owner);
  const project = await makeProject(app, { namespaceId });
  await setAlertSettings(app, project, settings);
  return { integration: await makeIntegration(app, project), path: `/projects/${project.id}` };
}

async function post({ integration: { url, token } }: Setup, body: object): Promise<void> {
  const answer = await postAlert(url, token, body);
  expect(answer.status).toBe(200);
}

/** Waits for the worker, which is notified or polls; some emails wait for others. */
const settled = (): Promise<void> =>
  eventually(
    async () => {
      expect(await waitingReactions(app)).toEqual([]);
      expect(await dueEmails(app)).toEqual([]);
      expect(await app.dataSource.manager.countBy(OutgoingMail, { state: 'queued' })).toBe(0);
    },
    { seconds: 20 },
  );

interface Shown {
  status: string;
  event_count: number;
  issue: { iid: number; state: string } | null;
}
const alertOf = async ({ path }: Setup): Promise<Shown> =>
  (await owner.api.get(`${path}/alert_management_alerts/1`)).body as Shown;

describe('an alert that a monitoring tool sends', () => {
  it('has one incident, however often it comes', async () => {
    const project = await setUp({ createIssue: true });
    await post(project, { title: 'Disk full' });
    await settled();
    await post(project, { title: 'Disk full' });
    await settled();
    expect(await alertOf(project)).toMatchObject({
      status: 'triggered',
      event_count: 2,
      issue: { iid: 1, title: 'Disk full', state: 'opened' },
    });
    const issues = await owner.api.get(`${project.path}/issues`);
    expect(issues.body).toEqual([
      expect.objectContaining({
        title: 'Disk full',
        issue_type: 'incident',
        severity: 'CRITICAL',
        confidential: true,
        author: expect.objectContaining({ username: 'alert-bot' }),
      }),
    ]);
  });

  it('has an open incident where the project wants that', async () => {
    const project = await setUp({ createIssue: true, confidentialIncidents: false });
    await post(project, { title: 'Disk full' });
    await settled();
    const issue = await owner.api.get(`${project.path}/issues/1`);
    expect(issue.body).toMatchObject({ title: 'Disk full', confidential: false });
  });

  it('without a title names its incident by the number', async () => {
    const project = await setUp({ createIssue: true });
    await post(project, {});
    await settled();
    const issue = await owner.api.get(`${project.path}/issues/1`);
    expect(issue.body).toMatchObject({ title: 'New: Incident 1' });
  });

  it.each([
    [true, 'closed'],
    [false, 'opened'],
  ])('with auto_close_incident %s leaves its incident %s', async (autoCloseIncident, state) => {
    const project = await setUp({ createIssue: true, autoCloseIncident });
    await post(project, { title: 'Disk full' });
    await settled();
    await post(project, { title: 'Disk full', end_time: '2026-03-01T11:00:00Z' });
    await settled();
    expect(await alertOf(project)).toMatchObject({ status: 'resolved', issue: { iid: 1, state } });
  });

  it('is resolved when its incident is closed', async () => {
    const project = await setUp({ createIssue: true });
    await post(project, { title: 'Disk full' });
    await settled();
    await owner.api.put(`${project.path}/issues/1`, { state_event: 'close' }).expect(200);
    const alert = await owner.api.get(`${project.path}/alert_management_alerts/1`);
    expect(alert.body).toMatchObject({ status: 'resolved' });
    const { id: alertId } = alert.body as { id: number };
    expect((await systemNotes(app, { alertId })).at(-1)).toEqual({
      author: owner.user.username,
      body: 'changed the status to **Resolved** by closing issue #1',
    });
  });

  it('is emailed each time it fires until it is acknowledged, and when it recovers', async () => {
    const project = await setUp({ sendEmail: true });
    const subjects = (): (string | undefined)[] =>
      server.received.map(({ parsed }) => parsed.subject?.split(' – ')[0]);
    for (const count of [1, 2]) {
      await endEmailWindows(app);
      await post(project, { title: 'Disk full' });
      await settled();
      expect(server.received).toHaveLength(count);
    }
    await owner.api
      .put(`${project.path}/alert_management_alerts/1`, { status: 'acknowledged' })
      .expect(200);
    await post(project, { title: 'Disk full' });
    await settled();
    expect(subjects()).toEqual(['[Critical] Disk full', '[Critical] Disk full']);
    await endEmailWindows(app);
    await post(project, { title: 'Disk full', end_time: '2026-03-01T11:00:00Z' });
    await settled();
    expect(subjects().slice(2)).toEqual(['[Recovered] Disk full']);
    expect(server.received.flatMap(({ to }) => to)).toEqual(Array(3).fill(owner.user.email));
  });

  it('is mailed at once when it is new, and a burst that follows is one mail', async () => {
    const project = await setUp({ sendEmail: true });
    const before = server.received.length;
    await endEmailWindows(app);
    await post(project, { title: 'Flapping' });
    await eventually(() => expect(server.received).toHaveLength(before + 1), { seconds: 4 });
    await Promise.all(Array.from({ length: 40 }, () => post(project, { title: 'Flapping' })));
    const due = new Set((await waitingReactions(app)).map(({ notBefore }) => notBefore.getTime()));
    expect(due.size).toBe(1);
    await settled();
    await endEmailWindows(app);
    await react(worker);
    await settled();
    const [, burst, ...more] = server.received.slice(before).map(({ parsed }) => parsed.text);
    expect(burst).toContain('40 new events since the last email');
    expect(more).toEqual([]);
  });
});
