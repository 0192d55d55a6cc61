import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Clock } from '../../src/core/clock.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { changeSettings } from '../support/settings.js';
import { openCollector } from './collector-place.js';

/** So that neither a minute nor an hour ends within a test. */
const START = new Date('2026-03-01T10:00:10Z');
let now = START;
const HOUR_MS = 3_600_000;
const SESSION = '{}\n{"type":"session"}\n{}';
const event = (digit: number): string =>
  `{"event_id":"${String(digit).repeat(32)}"}\n{"type":"event"}\n{"message":"m"}`;

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp({
    env: { RATE_LIMITS: 'on' },
    override: (builder) => builder.overrideProvider(Clock).useValue({ now: () => now }),
  });
});
afterAll(() => app.close());

beforeEach(async () => {
  now = START;
  await changeSettings(app, {
    throttle_error_tracking_requests_per_key_per_minute: 0,
    throttle_error_tracking_events_per_project_per_hour: 0,
  });
});

describe('the limit on requests of a key', () => {
  it('rejects them unread, with Retry-After for SDKs', async () => {
    await changeSettings(app, { throttle_error_tracking_requests_per_key_per_minute: 3 });
    const [limited, other] = [await openCollector(app), await openCollector(app)];
    for (const digit of [1, 2, 3]) expect((await limited.send(event(digit))).status).toBe(200);
    const refused = await limited.send('not even an envelope');
    expect(refused.status).toBe(429);
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '50',
      'x-sentry-rate-limits': '50:error;default:key:quota',
      'x-sentry-error': '429 Too Many Requests',
      'access-control-allow-origin': '*',
    });
    expect(await refused.json()).toEqual({
      message: '429 Too Many Requests',
      detail: '429 Too Many Requests',
      causes: ['the quota of the key is used up'],
    });
    expect((await other.send(event(1))).status).toBe(200);
    expect(await limited.events()).toHaveLength(3);
    await eventually(async () => {
      expect(await limited.outcomes()).toMatchObject({ 'refused error quota': 1 });
    });
  });

  it('holds for keys in envelopes, too', async () => {
    await changeSettings(app, { throttle_error_tracking_requests_per_key_per_minute: 2 });
    const place = await openCollector(app);
    const dsn = `http://${place.key}@h/${place.project.id}`;
    const body = `${JSON.stringify({ dsn })}\n{"type":"session"}\n{}`;
    const statuses: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      statuses.push((await place.send(body, { query: '' })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });
});

describe('the limit on requests without a good key', () => {
  const wrong = { query: `?sentry_key=${'0'.repeat(32)}` };

  it('stops an address that tries keys, but not programs there whose key is good', async () => {
    now = new Date(START.getTime() + HOUR_MS);
    await changeSettings(app, { throttle_error_tracking_requests_per_key_per_minute: 3 });
    const [place, unseen] = [await openCollector(app), await openCollector(app)];
    expect((await place.send(event(1))).status).toBe(200);
    const statuses: number[] = [];
    for (let turn = 0; turn < 5; turn += 1)
      statuses.push((await place.send(SESSION, wrong)).status);
    expect(statuses).toEqual([404, 404, 404, 429, 429]);
    expect((await place.send(event(2))).status).toBe(200);
    expect((await unseen.send(event(1))).status).toBe(429);
  });
});

describe('the limit on events of a project', () => {
  it('refuses events until the hour ends, and nothing else', async () => {
    await changeSettings(app, { throttle_error_tracking_events_per_project_per_hour: 2 });
    const [limited, other] = [await openCollector(app), await openCollector(app)];
    for (const digit of [1, 2]) expect((await limited.send(event(digit))).status).toBe(200);
    const refused = await limited.send(event(3));
    expect(refused.status).toBe(429);
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '3590',
      'x-sentry-rate-limits': '3590:error;default:project:quota',
    });
    expect(await limited.events()).toHaveLength(2);
    expect((await limited.send(SESSION)).status).toBe(200);
    expect((await other.send(event(1))).status).toBe(200);
  });

  it('counts what comes beside an event once, however often it is sent until it is taken', async () => {
    await changeSettings(app, { throttle_error_tracking_events_per_project_per_hour: 1 });
    const place = await openCollector(app);
    expect((await place.send(event(1))).status).toBe(200);
    const both = `${event(2)}\n{"type":"session"}\n{}`;
    expect((await place.send(both)).status).toBe(429);
    await changeSettings(app, { throttle_error_tracking_events_per_project_per_hour: 0 });
    expect((await place.send(both)).status).toBe(200);
    await eventually(async () => {
      expect(await place.outcomes()).toMatchObject({ 'dropped session not_supported': 1 });
    });
  });
});
