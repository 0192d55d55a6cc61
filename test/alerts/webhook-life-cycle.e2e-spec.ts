import { beforeAll, describe, expect, it } from '@jest/globals';
import { alertNotes, setAlertSettings } from '../support/alert-factories.js';
import { Alert } from '../../src/alerts/alert.entity.js';
import { AlertReaction } from '../../src/alerts/alert-reaction.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { openWebhook } from './webhook-place.js';

const HOUR_MS = 3_600_000;
const HOURS = 24;

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

const webhook = (options?: Parameters<typeof openWebhook>[1]) => openWebhook(app, options);

const reactionsOf = async (alertId: number): Promise<[string, number][]> => {
  const where = { alertId };
  const rows = await app.dataSource.manager.find(AlertReaction, { where, order: { id: 'ASC' } });
  return rows.map(({ kind, events }) => [kind, events]);
};

const FINGERPRINT = { title: 'A', fingerprint: 'disk-full-web01' };
const RECOVERY = { fingerprint: 'disk-full-web01', end_time: '2026-03-01T11:00:00Z' };
const BAD_REQUEST = { status: 400, body: { message: '400 Bad request' } };

describe('an alert of the plain webhook', () => {
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

  it.each([
    { stored: [4, 9], eventCount: 10, hoursAgo: 3 },
    { stored: Array.from({ length: HOURS }, (_, hour) => hour), eventCount: 30, hoursAgo: 2 },
    { stored: [7], eventCount: 8, hoursAgo: 500 },
    { stored: null, eventCount: 5, hoursAgo: 4 },
  ])('keeps the totals of a day by hour: $stored $hoursAgo hours ago', async (given) => {
    const { stored, eventCount, hoursAgo } = given;
    const { post, alerts } = await webhook();
    await post({ title: 'Disk full' });
    const [{ id }] = (await alerts()) as [Alert];
    const createdAt = new Date(Date.now() - hoursAgo * HOUR_MS);
    const before = Math.floor(createdAt.getTime() / HOUR_MS);
    const { manager } = app.dataSource;
    const columns = { hourTotals: stored, totalsHour: stored && before };
    await manager.update(Alert, { id }, { ...columns, eventCount, createdAt });
    await post({ title: 'Disk full' });
    const { hourTotals, totalsHour } = await manager.findOneByOrFail(Alert, { id });
    const begun = Array.from({ length: (totalsHour ?? 0) - before }, () => eventCount);
    expect(hourTotals?.map(Number)).toEqual([...(stored ?? [0]), ...begun].slice(-HOURS));
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

  it('groups and resolves payloads of only hosts and times', async () => {
    const { post, alerts } = await webhook();
    const first = { status: 200, body: [{ iid: 1, title: 'New: Alert' }] };
    const end_time = '2026-03-01T11:00:00Z';
    for (const payload of [{}, { hosts: ['h1'] }, { start_time: '2026-03-01T10:00:00Z' }]) {
      expect(await post(payload)).toEqual(first);
    }
    expect(await post({ hosts: 'h2', end_time })).toEqual(first);
    expect((await post({})).body).toEqual([{ iid: 2, title: 'New: Alert' }]);
    expect(await alerts()).toMatchObject([
      { eventCount: 3, status: 2, endedAt: new Date(end_time) },
      { eventCount: 1, status: 0 },
    ]);
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
});
