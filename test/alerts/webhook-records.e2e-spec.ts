import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeWebhook, postAlert, storedDeliveries } from '../support/alert-factories.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';

let app: OwnTestApp;
const lines: string[] = [];
beforeAll(async () => {
  app = await startTestApp({
    env: { LOG_LEVEL: 'info' },
    logDestination: { write: (line) => void lines.push(line) },
  });
});
afterAll(() => app.close());

describe('refused calls', () => {
  it('are noted, equal ones of a second together, bodies only where they help', async () => {
    const { integration } = await makeWebhook(app);
    const { url, token } = integration;
    await Promise.all([1, 2, 3].map(() => postAlert(url, 'wrong', { title: 'A' })));
    await postAlert(url, token, '{"title":');
    const recovery = '{"title":"A","end_time":"2026-03-01T11:00:00Z"}';
    await postAlert(url, token, recovery);
    const rows = await eventually(async () => {
      const deliveries = await storedDeliveries(app, integration);
      expect(deliveries).toHaveLength(3);
      return deliveries;
    });
    expect(rows).toEqual([
      {
        id: expect.any(Number),
        integrationId: integration.id,
        source: 'webhook',
        status: 401,
        size: 13,
        error: 'The key is missing or wrong',
        calls: 3,
        alertIids: [],
        payload: null,
        createdAt: expect.any(Date),
      },
      {
        id: expect.any(Number),
        integrationId: integration.id,
        source: 'webhook',
        status: 400,
        size: 9,
        error: 'The body is not a JSON object within the limits',
        calls: 1,
        alertIids: [],
        payload: null,
        createdAt: expect.any(Date),
      },
      {
        id: expect.any(Number),
        integrationId: integration.id,
        source: 'webhook',
        status: 400,
        size: recovery.length,
        error: 'No open alert matches this recovery',
        calls: 1,
        alertIids: [],
        payload: Buffer.from(recovery),
        createdAt: expect.any(Date),
      },
    ]);
  });
});

describe('the log', () => {
  it('has a line for each call, without the key', async () => {
    const { integration } = await makeWebhook(app);
    const { url, token } = integration;
    await postAlert(`${url}?token=${token}`, token, { title: 'A' });
    const path = new URL(url).pathname;
    const line = await eventually(() => lines.find((one) => one.includes(path)) ?? false);
    expect(JSON.parse(String(line))).toMatchObject({ method: 'POST', status: 200, path });
    expect(lines.join()).not.toContain(token);
  });
});
