import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  makeEnvironment,
  alertNotes,
  monitoringBody,
  monitoringItem,
  storedDeliveries,
} from '../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { openWebhook } from './webhook-place.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

/** The webhook of an integration of the metrics monitoring type, and what it answers. */
async function webhook(type: 'http' | 'prometheus' = 'prometheus', name = 'Metrics') {
  const opened = await openWebhook(app, { type, name });
  return { ...opened, send: (...items: unknown[]) => opened.post(monitoringBody(items)) };
}

describe('the webhook of metrics monitoring', () => {
  it('makes an alert of an item, with everything that labels and annotations say', async () => {
    const { project, send, alerts } = await webhook();
    const environment = await makeEnvironment(app, project, { name: 'production' });
    const item = monitoringItem('HighLatency', {
      labels: { severity: 's2', svc_environment_name: 'production' },
      annotations: {
        title: 'Latency is high',
        description: 'Too slow',
        runbook: 'https://example.com/runbook',
        svc_incident_markdown: '**look**',
      },
    });
    expect(await send(item)).toEqual({ status: 200, body: [{ iid: 1, title: 'Latency is high' }] });
    const [alert] = await alerts();
    expect(alert).toMatchObject({
      title: 'Latency is high',
      description: 'Too slow',
      service: null,
      monitoringTool: 'Prometheus',
      severity: 1,
      status: 0,
      hosts: [],
      runbook: 'https://example.com/runbook',
      query: 'up == 0',
      incidentMarkdown: '**look**',
      environmentId: environment.id,
      startedAt: new Date('2026-03-01T10:00:00Z'),
      endedAt: null,
      payload: item,
    });
    expect(await alertNotes(app, alert?.id ?? 0)).toEqual(['logged an alert from **Metrics**']);
  });

  it('takes the items in their order and leaves out what is no alert', async () => {
    const { send } = await webhook();
    expect(await send(monitoringItem('A'), monitoringItem('B'))).toEqual({
      status: 200,
      body: [
        { iid: 1, title: 'A' },
        { iid: 2, title: 'B' },
      ],
    });
    const nameless = { ...monitoringItem('X'), labels: {} };
    expect(await send(nameless, monitoringItem('C'))).toEqual({
      status: 200,
      body: [{ iid: 3, title: 'C' }],
    });
  });

  it('rejects alerts that are not a list', async () => {
    const { post, alerts } = await webhook();
    for (const list of ['x', null, {}, 1]) {
      const refused = { status: 400, body: { message: '400 Bad request' } };
      expect(await post({ ...monitoringBody([]), alerts: list })).toEqual(refused);
    }
    expect(await post(monitoringBody([]))).toEqual({ status: 200, body: [] });
    expect(await alerts()).toEqual([]);
  });

  it('answers an empty list when no item is an alert', async () => {
    const { send, alerts } = await webhook();
    expect(await send(monitoringItem('A', { startsAt: null }))).toEqual({ status: 200, body: [] });
    expect(await alerts()).toEqual([]);
  });

  it('wants every attribute of the format, of which any may be null', async () => {
    const { integration, post } = await webhook();
    const incomplete = monitoringBody([monitoringItem('A')]);
    delete incomplete['groupKey'];
    const refused = { status: 422, body: { message: '422 Unprocessable entity' } };
    expect(await post(incomplete)).toEqual(refused);
    expect((await post({ ...incomplete, groupKey: null })).status).toBe(200);
    const delivery = await eventually(async () => {
      const all = await storedDeliveries(app, integration);
      return all.some(({ status }) => status === 422) && all.at(-1);
    });
    expect(delivery).toMatchObject({
      status: 422,
      error: 'Required attributes of the Prometheus format are missing',
      payload: Buffer.from(JSON.stringify(incomplete)),
    });
  });

  it('resolves by the status of the item, at the time it names', async () => {
    const { send, alerts } = await webhook();
    await send(monitoringItem('A'));
    const endsAt = '2026-03-01T11:00:00Z';
    expect((await send(monitoringItem('A', { status: 'resolved', endsAt }))).body).toEqual([
      { iid: 1, title: 'A' },
    ]);
    expect(await alerts()).toMatchObject([{ status: 2, endedAt: new Date(endsAt) }]);
  });

  it('resolves items with an end in the past, regardless of their status', async () => {
    const { send, alerts } = await webhook();
    const sent = (changes: object) => send(monitoringItem('A', changes));
    await sent({});
    await sent({ endsAt: new Date(Date.now() + 3_600_000).toISOString() });
    expect(await alerts()).toMatchObject([{ status: 0, eventCount: 2, endedAt: null }]);
    const endsAt = '2026-03-01T11:00:00Z';
    expect(await sent({ endsAt })).toEqual({ status: 200, body: [{ iid: 1, title: 'A' }] });
    expect(await alerts()).toMatchObject([{ status: 2, endedAt: new Date(endsAt) }]);
  });

  it('does not take the zero time for an end, and skips recoveries of nothing', async () => {
    const { send, alerts } = await webhook();
    await send(monitoringItem('A'));
    expect(await send(monitoringItem('B', { status: 'resolved' }))).toEqual({
      status: 200,
      body: [],
    });
    expect(await alerts()).toMatchObject([{ title: 'A', status: 0, endedAt: null }]);
  });

  it('counts a rule that fires again from another moment for the same alert', async () => {
    const { send, alerts } = await webhook();
    await send(monitoringItem('A'));
    await send(monitoringItem('A', { startsAt: '2026-03-02T10:00:00Z' }));
    expect(await alerts()).toMatchObject([{ eventCount: 2 }]);
  });

  it('keeps instances of one rule apart by their labels', async () => {
    const { send, alerts } = await webhook();
    const of = (instance: string) => monitoringItem('A', { labels: { instance } });
    expect((await send(of('one'), of('two'))).body).toHaveLength(2);
    expect(await alerts()).toHaveLength(2);
  });

  it('groups by the fingerprint of the tool, and tells an alert once', async () => {
    const { send, alerts } = await webhook();
    const of = (instance: string) =>
      monitoringItem('A', { labels: { instance }, fingerprint: 'fca9e1c7c8a0bbc9' });
    expect((await send(of('one'), of('two'))).body).toEqual([{ iid: 1, title: 'A' }]);
    expect(await alerts()).toMatchObject([{ eventCount: 2 }]);
  });

  it('looks at the first 100 items only', async () => {
    const { send, alerts } = await webhook();
    const items = Array.from({ length: 150 }, (_, index) => monitoringItem(`A${index}`));
    expect((await send(...items)).body).toHaveLength(100);
    expect((await alerts()).at(-1)).toMatchObject({ iid: 100, title: 'A99' });
  });

  it('has no query when the address of the graph is none', async () => {
    const { send, alerts } = await webhook();
    await send(monitoringItem('A', { generatorURL: 'not a url' }));
    expect(await alerts()).toMatchObject([{ query: null }]);
  });

  it('is understood by integrations of the generic type, too', async () => {
    const { send, alerts } = await webhook('http');
    expect((await send(monitoringItem('A'), monitoringItem('B'))).body).toHaveLength(2);
    expect(await alerts()).toMatchObject([
      { monitoringTool: 'Prometheus' },
      { monitoringTool: 'Prometheus' },
    ]);
  });
});
