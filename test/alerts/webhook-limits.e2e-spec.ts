import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeWebhook, postAlert, storedDeliveries } from '../support/alert-factories.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { Clock } from '../../src/core/clock.js';
import { changeSettings } from '../support/settings.js';

/** So that a minute does not end within a test. */
const NOW = new Date('2026-03-01T10:00:10Z');

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp({
    env: { RATE_LIMITS: 'on' },
    override: (builder) => builder.overrideProvider(Clock).useValue({ now: () => NOW }),
  });
});
afterAll(() => app.close());

describe('the limit on webhook calls', () => {
  it('counts each project for itself', async () => {
    await changeSettings(app, { throttle_webhooks_requests_per_minute: 10 });
    const [limited, other] = [await makeWebhook(app), await makeWebhook(app)];
    const { url, token } = limited.integration;
    for (let call = 0; call < 10; call += 1) {
      expect((await postAlert(url, token, { title: 'A' })).status).toBe(200);
    }
    const refused = await postAlert(url, token, { title: 'A' });
    expect(refused.status).toBe(429);
    expect(await refused.text()).toBe('Retry later\n');
    expect(refused.headers.get('RateLimit-Name')).toBe('throttle_webhooks');
    expect(refused.headers.get('Retry-After')).toBe('50');
    const free = await postAlert(other.integration.url, other.integration.token, { title: 'A' });
    expect(free.status).toBe(200);
    await eventually(async () => {
      const deliveries = await storedDeliveries(app, limited.integration);
      expect(deliveries.at(-1)).toMatchObject({
        status: 429,
        error: 'Rate limit exceeded',
      });
    });
  });
});
