import { beforeAll, describe, expect, it } from '@jest/globals';
import { AlertDelivery } from '../../src/alerts/alert-deliveries.repository.js';
import { makeIntegration, storedAlerts, storedDeliveries } from '../support/alert-factories.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { archive, makePlace } from './integration-place.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

async function deliveries(options: Parameters<typeof makeIntegration>[2] = {}) {
  const { project, integrations } = await makePlace(app);
  const integration = await makeIntegration(app, project, options);
  const base = `/${integration.id}/deliveries`;
  const make = async (attributes: Partial<AlertDelivery> = {}): Promise<number> => {
    const row = { status: 200, size: 13, ...attributes, integrationId: integration.id };
    const inserted = await app.dataSource.manager.insert(AlertDelivery, row);
    return (inserted.identifiers[0] as { id: number }).id;
  };
  const get = async (rest: string) => outcome(await integrations.get(base + rest));
  const replay = async (id: number) => outcome(await integrations.post(`${base}/${id}/replay`));
  return { project, integrations, integration, base, make, get, replay };
}

const outcome = (response: { status: number; body: unknown }) => ({
  status: response.status,
  body: response.body,
});

describe('the deliveries of an integration', () => {
  it('are listed by page, the newest first and without what was sent', async () => {
    const { integrations, base, make } = await deliveries();
    const kept = await make({ alertIids: [7], payload: Buffer.from('{"title":"A"}') });
    const refused = { status: 401, size: 0, error: '401 Unauthorized', calls: 3 };
    const bad = await make(refused);
    const response = await integrations.get(base);

    expect(response.headers).toMatchObject({ 'x-total': '2', 'x-page': '1' });
    expect(outcome(response)).toEqual({
      status: 200,
      body: [
        {
          id: bad,
          source: 'webhook',
          ...refused,
          alert_iids: [],
          replayable: false,
          created_at: expect.any(String),
        },
        {
          id: kept,
          source: 'webhook',
          status: 200,
          size: 13,
          error: null,
          calls: 1,
          alert_iids: [7],
          replayable: true,
          created_at: expect.any(String),
        },
      ],
    });
    expect((await integrations.get(`${base}?per_page=1&page=2`)).body).toMatchObject([
      { id: kept },
    ]);
  });

  it('are shown with what was sent, as text', async () => {
    const { make, get } = await deliveries();
    const id = await make({ status: 400, payload: Buffer.from('{"title":') });
    expect(await get(`/${id}`)).toEqual({
      status: 200,
      body: {
        id,
        source: 'webhook',
        status: 400,
        size: 13,
        error: null,
        calls: 1,
        alert_iids: [],
        replayable: true,
        created_at: expect.any(String),
        payload: '{"title":',
      },
    });
    const empty = await make();
    expect(await get(`/${empty}`)).toMatchObject({ body: { payload: null } });
  });

  it('are those of no other integration', async () => {
    const id = await (await deliveries()).make({ payload: Buffer.from('{}') });
    const { get, replay } = await deliveries();
    const missing = { status: 404, body: { message: '404 Delivery Not Found' } };
    expect(await get(`/${id}`)).toEqual(missing);
    expect(await replay(id)).toEqual(missing);
    expect(await get('')).toEqual({ status: 200, body: [] });
  });
});

describe('sending a delivery again', () => {
  it('is read by the rules that the integration has now, and noted', async () => {
    const { project, integration, make, replay } = await deliveries({
      mappings: [{ field: 'title', path: ['name'], type: 'STRING' }],
    });
    const payload = Buffer.from('{"name":"Disk","title":"A"}');
    const id = await make({ status: 400, payload });

    expect(await replay(id)).toEqual({ status: 200, body: [{ iid: 1, title: 'Disk' }] });
    expect(await storedAlerts(app, project)).toMatchObject([{ iid: 1, title: 'Disk' }]);
    const rows = await storedDeliveries(app, integration);
    expect(rows.find(({ source }) => source === 'replay')).toMatchObject({
      status: 200,
      alertIids: [1],
      payload,
    });
  });

  it('is 400 when what was sent was not kept', async () => {
    const { make, replay } = await deliveries();
    expect(await replay(await make())).toEqual({
      status: 400,
      body: { message: '400 Bad request - the payload of the delivery was not kept' },
    });
  });

  it('is refused as the webhook would', async () => {
    const { make, replay } = await deliveries();
    const recovery = '{"title":"A","end_time":"2026-03-01T11:00:00Z"}';
    expect((await replay(await make({ payload: Buffer.from(recovery) }))).status).toBe(400);
    const off = await deliveries({ active: false });
    expect((await off.replay(await off.make({ payload: Buffer.from('{}') }))).status).toBe(403);
    const old = await deliveries();
    await archive(app, old.project);
    expect((await old.replay(await old.make({ payload: Buffer.from('{}') }))).status).toBe(403);
  });
});
