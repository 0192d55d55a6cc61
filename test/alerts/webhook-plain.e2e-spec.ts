import { beforeAll, describe, expect, it } from '@jest/globals';
import type { MappableField } from '../../src/alerts/parsing/incoming-alert.js';
import { alertNotes, makeEnvironment, storedDeliveries } from '../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { openWebhook } from './webhook-place.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

const webhook = (options?: Parameters<typeof openWebhook>[1]) => openWebhook(app, options);

const FINGERPRINT = { title: 'A', fingerprint: 'disk-full-web01' };

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
      hourTotals: null,
      totalsHour: null,
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

  it('takes severities in any case and calls unknown words critical', async () => {
    const { post, alerts } = await webhook();
    for (const severity of ['HIGH', 'unknown', 'blocker', 5, 'p1']) {
      await post({ title: 'A', severity });
    }
    expect((await alerts()).map(({ severity }) => severity)).toEqual([1, 5, 0, 0, 0]);
  });

  it('stores start times in UTC and takes now for what is none', async () => {
    const { post, alerts } = await webhook();
    const begun = Date.now();
    await post({ title: 'A', start_time: '2026-03-01T12:00:00+02:00' });
    await post({ title: 'B', start_time: 'soon' });
    await post({ title: 'C', start_time: 12 });
    const [first, ...others] = await alerts();
    expect(first?.startedAt.toISOString()).toBe('2026-03-01T10:00:00.000Z');
    for (const { startedAt } of others) {
      expect(startedAt.getTime()).toBeGreaterThanOrEqual(begun);
      expect(startedAt.getTime()).toBeLessThanOrEqual(Date.now());
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
