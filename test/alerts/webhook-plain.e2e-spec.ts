import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MappableField } from '../../src/alerts/parsing/incoming-alert.js';
import {
  alertNotes,
  makeEnvironment,
  makeWebhook,
  postAlert,
  setAlertSettings,
  storedAlerts,
  storedDeliveries,
} from '../support/alert-factories.js';
import { AlertReaction } from '../../src/alerts/alert-reaction.entity.js';
import { startTestApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** A webhook of its own, and what it answers. */
async function webhook(options: Parameters<typeof makeWebhook>[1] = {}) {
  const { project, integration } = await makeWebhook(app, options);
  const post = async (body: unknown) => {
    const response = await postAlert(integration.url, integration.token, body);
    return { status: response.status, body: (await response.json()) as unknown };
  };
  return { project, integration, post, alerts: () => storedAlerts(app, project) };
}

const reactionsOf = async (alertId: number): Promise<[string, number][]> => {
  const where = { alertId };
  const rows = await app.dataSource.manager.find(AlertReaction, { where, order: { id: 'ASC' } });
  return rows.map(({ kind, events }) => [kind, events]);
};

const FINGERPRINT = { title: 'A', fingerprint: 'disk-full-web01' };
const RECOVERY = { fingerprint: 'disk-full-web01', end_time: '2026-03-01T11:00:00Z' };
const BAD_REQUEST = { status: 400, body: { message: '400 Bad request' } };

describe('the plain webhook', () => {
  it('makes a triggered, critical alert of a title, and notes call and creation', async () => {
    const { project, integration, post, alerts } = await webhook({ name: 'Data*dog' });
    expect(await post({ title: 'Disk full' })).toEqual({
      status: 200,
      body: [{ iid: 1, title: 'Disk full' }],
    });
    const [alert, ...others] = await alerts();
    expect(others).toEqual([]);
    expect(alert).toEqual({
      id: expect.any(Number),
      projectId: project.id,
      iid: 1,
      integrationId: integration.id,
      environmentId: null,
      issueId: null,
      assigneeId: null,
      title: 'Disk full',
      description: null,
      service: null,
      monitoringTool: null,
      severity: 0,
      status: 0,
      fingerprint: expect.any(Buffer),
      hosts: [],
      runbook: null,
      query: null,
      yLabel: null,
      incidentMarkdown: null,
      payload: { title: 'Disk full' },
      eventCount: 1,
      lastEventAt: expect.any(Date),
      startedAt: expect.any(Date),
      endedAt: null,
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
    });
    expect(await alertNotes(app, alert?.id ?? 0)).toEqual(['logged an alert from **Data\\*dog**']);
    expect(await storedDeliveries(app, integration)).toEqual([
      {
        id: expect.any(Number),
        integrationId: integration.id,
        source: 'webhook',
        status: 200,
        size: 21,
        error: null,
        calls: 1,
        alertIids: [1],
        payload: Buffer.from('{"title":"Disk full"}'),
        createdAt: expect.any(Date),
      },
    ]);
  });

  it('counts the same again and changes nothing else', async () => {
    const { post, alerts } = await webhook();
    await post({ title: 'Disk full' });
    const [before] = await alerts();
    expect(await post({ title: 'Disk full' })).toEqual({
      status: 200,
      body: [{ iid: 1, title: 'Disk full' }],
    });
    const [after, ...others] = await alerts();
    expect(others).toEqual([]);
    expect(after).toEqual({ ...before, eventCount: 2, lastEventAt: expect.any(Date) });
    expect(await alertNotes(app, after?.id ?? 0)).toHaveLength(1);
  });

  it('takes severities in any case and calls unknown words critical', async () => {
    const { post, alerts } = await webhook();
    for (const severity of ['HIGH', 'unknown', 'blocker', 5, 'p1']) {
      await post({ title: 'A', severity });
    }
    expect((await alerts()).map(({ severity }) => severity)).toEqual([1, 5, 0, 0, 0]);
  });

  it('stores start times in UTC and takes now for what is none', async () => {
    const { post, alerts } = await webhook();
    await post({ title: 'A', start_time: '2026-03-01T12:00:00+02:00' });
    await post({ title: 'B', start_time: 'soon' });
    await post({ title: 'C', start_time: 12 });
    const [first, ...others] = await alerts();
    expect(first?.startedAt.toISOString()).toBe('2026-03-01T10:00:00.000Z');
    for (const { startedAt } of others) {
      expect(Math.abs(startedAt.getTime() - Date.now())).toBeLessThan(2_000);
    }
  });

  it('cuts long titles, and takes hosts as text, nested lists and up to 255 characters', async () => {
    const { post, alerts } = await webhook();
    await post({ title: 'x'.repeat(250), hosts: 'web01' });
    await post({ title: 'B', hosts: ['a', ['b', 'c"\\,{}']] });
    await post({ title: 'C', hosts: ['a', 'b', 'c'].map((one) => one.repeat(100)) });
    const [first, second, third] = await alerts();
    expect(first?.title).toBe(`${'x'.repeat(197)}...`);
    expect(first?.hosts).toEqual(['web01']);
    expect(second?.hosts).toEqual(['a', 'b', 'c"\\,{}']);
    expect(third?.hosts.map(({ length }) => length)).toEqual([100, 100, 55]);
  });

  it('hashes the fingerprint that is given', async () => {
    const { post, alerts } = await webhook();
    await post(FINGERPRINT);
    await post({ title: 'B', fingerprint: ['web01', ['disk', 9]] });
    expect((await alerts()).map(({ fingerprint }) => fingerprint?.toString('hex'))).toEqual([
      '3fe9dea383962bc1e8ab5479409565317a0b774d',
      '97872a957bbb195472380d2423c3365ea66f6c0b',
    ]);
  });

  it('keeps title and severity of the first event of a fingerprint', async () => {
    const { post, alerts } = await webhook();
    await post({ ...FINGERPRINT, severity: 'low' });
    expect((await post({ ...FINGERPRINT, title: 'Other', severity: 'high' })).body).toEqual([
      { iid: 1, title: 'A' },
    ]);
    expect(await alerts()).toMatchObject([{ title: 'A', severity: 3, eventCount: 2 }]);
  });

  it('groups by all but hosts and times when no fingerprint is given', async () => {
    const { post, alerts } = await webhook();
    await post({ title: 'A', hosts: 'h1', start_time: '2026-03-01T10:00:00Z' });
    await post({ title: 'A', hosts: 'h2', start_time: '2026-03-01T11:00:00Z' });
    await post({ title: 'A', foo: 1 });
    await post({ title: 'A', foo: 2 });
    expect((await alerts()).map(({ eventCount }) => eventCount)).toEqual([2, 1, 1]);
  });

  it('never groups empty payloads', async () => {
    const { post, alerts } = await webhook();
    expect((await post({})).body).toEqual([{ iid: 1, title: 'New: Alert' }]);
    expect((await post({})).body).toEqual([{ iid: 2, title: 'New: Alert' }]);
    expect(await alerts()).toMatchObject([{ fingerprint: null }, { fingerprint: null }]);
  });

  it('resolves by an end time, with two notes', async () => {
    const { post, alerts } = await webhook({ name: 'Tool' });
    await post(FINGERPRINT);
    expect(await post(RECOVERY)).toEqual({ status: 200, body: [{ iid: 1, title: 'A' }] });
    const [alert] = await alerts();
    const endedAt = new Date('2026-03-01T11:00:00Z');
    expect(alert).toMatchObject({ status: 2, endedAt, eventCount: 1 });
    expect(await alertNotes(app, alert?.id ?? 0)).toEqual([
      'logged an alert from **Tool**',
      'logged a recovery alert from **Tool**',
      'changed the status to **Resolved**',
    ]);
  });

  it('resolves without a fingerprint, since the end time does not count for grouping', async () => {
    const { post, alerts } = await webhook();
    await post({ title: 'Disk full' });
    await post({ title: 'Disk full', end_time: '2026-03-01T11:00:00Z' });
    expect(await alerts()).toMatchObject([{ status: 2, eventCount: 1 }]);
  });

  it('refuses recoveries of nothing that is open', async () => {
    const { post, alerts } = await webhook();
    expect(await post(RECOVERY)).toEqual(BAD_REQUEST);
    expect(await alerts()).toEqual([]);
    await post(FINGERPRINT);
    await post(RECOVERY);
    expect(await post({ ...RECOVERY, end_time: '2026-03-01T12:00:00Z' })).toEqual(BAD_REQUEST);
    expect(await alerts()).toMatchObject([{ endedAt: new Date('2026-03-01T11:00:00Z') }]);
  });

  it('makes a new alert when a resolved one fires again', async () => {
    const { post, alerts } = await webhook();
    for (const body of [FINGERPRINT, RECOVERY]) await post(body);
    expect((await post(FINGERPRINT)).body).toEqual([{ iid: 2, title: 'A' }]);
    expect(await alerts()).toMatchObject([{ status: 2 }, { status: 0, eventCount: 1 }]);
  });

  it('takes an end time that is none for firing, and epoch milliseconds for one', async () => {
    const { post, alerts } = await webhook();
    await post(FINGERPRINT);
    await post({ ...FINGERPRINT, end_time: 'never' });
    expect(await alerts()).toMatchObject([{ status: 0, eventCount: 2 }]);
    await post({ ...FINGERPRINT, end_time: 1_772_362_800_000 });
    const endedAt = new Date('2026-03-01T11:00:00Z');
    expect(await alerts()).toMatchObject([{ status: 2, eventCount: 2, endedAt }]);
  });

  it('leaves an acknowledged alert acknowledged without mail, and resolves an ignored one', async () => {
    const { project, post, alerts } = await webhook();
    await setAlertSettings(app, project, { sendEmail: true });
    await post(FINGERPRINT);
    const [alert] = await alerts();
    const id = alert?.id ?? 0;
    const setStatus = (status: number) =>
      app.dataSource.query('UPDATE alerts SET status = $2 WHERE id = $1', [id, status]);
    await setStatus(1);
    await post(FINGERPRINT);
    expect(await alerts()).toMatchObject([{ status: 1, eventCount: 2 }]);
    expect(await reactionsOf(id)).toEqual([['mail_firing', 1]]);
    await setStatus(3);
    await post(RECOVERY);
    expect(await alerts()).toMatchObject([{ status: 2 }]);
    expect(await reactionsOf(id)).toEqual([
      ['mail_firing', 1],
      ['mail_recovery', 1],
    ]);
  });

  it('asks for one incident of an alert, and to close the one it has', async () => {
    const { project, post, alerts } = await webhook();
    await setAlertSettings(app, project, { createIssue: true });
    await post(FINGERPRINT);
    await post(FINGERPRINT);
    const [alert] = await alerts();
    expect(await reactionsOf(alert?.id ?? 0)).toEqual([['open_incident', 1]]);
    await app.dataSource.query(
      `WITH made AS (
         INSERT INTO issues (project_id, iid, author_id, title, issue_type)
         SELECT $1, 1, id, 'Incident', 'incident' FROM users WHERE username = 'alert-bot'
         RETURNING id)
       UPDATE alerts SET issue_id = made.id FROM made WHERE project_id = $1`,
      [project.id],
    );
    await post(RECOVERY);
    expect((await reactionsOf(alert?.id ?? 0)).at(-1)).toEqual(['close_incident', 1]);
  });

  it('finds the environment of exactly that name, and none of another', async () => {
    const { project, post, alerts } = await webhook();
    const { id } = await makeEnvironment(app, project, { name: 'production' });
    for (const name of ['production', 'nope', 'Production']) {
      const answer = await post({ title: name, svc_environment_name: name });
      expect(answer.status).toBe(200);
    }
    expect((await alerts()).map(({ environmentId }) => environmentId)).toEqual([id, null, null]);
  });

  it('reads fields by the custom mapping, and a word that says that it is over', async () => {
    const field: MappableField = 'title';
    const { post, alerts } = await webhook({
      mappings: [{ field, path: ['alert', 'name'], type: 'STRING' }],
      resolvedWhen: { path: ['state'], values: ['OK'] },
    });
    await post({ alert: { name: 'X' }, title: 'Y', fingerprint: 1, state: 'alerting' });
    await post({ alert: 'str', fingerprint: 2 });
    await post({ alert: { name: 'X' }, fingerprint: 1, state: 'ok' });
    expect(await alerts()).toMatchObject([
      { title: 'X', status: 2 },
      { title: 'New: Alert', status: 0 },
    ]);
  });

  it('keeps what it does not know in the payload', async () => {
    const { post, alerts } = await webhook();
    await post({ title: 'A', foo: { bar: { baz: 42 } } });
    expect(await alerts()).toMatchObject([{ payload: { title: 'A', foo: { bar: { baz: 42 } } } }]);
  });
});
