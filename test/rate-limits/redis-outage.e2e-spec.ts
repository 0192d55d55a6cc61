import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import { api } from '../support/api-client.js';
import type { OwnTestApp } from '../support/app.js';
import { durationOf } from '../support/effort.js';
import { eventually } from '../support/eventually.js';
import { changeSettings } from '../support/settings.js';
import { startLimitedApp, tallyOf } from './limited-app.js';
import { PrivateRedis } from './private-redis.js';

const lines: string[] = [];
let redis: PrivateRedis;
let app: OwnTestApp;
beforeAll(async () => {
  redis = await PrivateRedis.start();
  app = await startLimitedApp(
    { throttle_unauthenticated_api_requests_per_period: 1_000_000 },
    {
      env: { REDIS_URL: redis.url, LOG_LEVEL: 'info' },
      logDestination: { write: (line) => void lines.push(line) },
    },
  );
});
afterAll(async () => {
  await app.close();
  await redis.stop();
});
afterEach(() => void lines.splice(0));

async function isCounted(): Promise<boolean> {
  const { status, headers } = await api(app.url).get('/projects');
  expect(status).toBe(200);
  return 'observed' in tallyOf(headers);
}

function said(text: string): string[] {
  return lines.filter((line) => line.includes('RateStore') && line.includes(text));
}

describe('without Redis', () => {
  it('requests go on uncounted, with one warning, and are counted again later', async () => {
    expect(await isCounted()).toBe(true);
    await redis.stop();
    for (let index = 0; index < 10; index += 1) expect(await isCounted()).toBe(false);
    expect(said('not limited')).toHaveLength(1);
    await redis.startAgain();
    await eventually(async () => expect(await isCounted()).toBe(true));
    expect(said('limited again')).toHaveLength(1);
    expect(said('not limited')).toHaveLength(1);
  });

  it('who is over the limit stays refused until the window ends', async () => {
    await eventually(async () => expect(await isCounted()).toBe(true));
    await changeSettings(app, { throttle_unauthenticated_api_requests_per_period: 1 });
    const send = (): Test => api(app.url).get('/projects');
    await eventually(async () => expect((await send()).status).toBe(429));
    await redis.stop();
    expect((await send()).status).toBe(429);
    await changeSettings(app, { throttle_unauthenticated_api_requests_per_period: 1_000_000 });
    expect((await send()).status).toBe(200);
    await redis.startAgain();
    await eventually(async () => expect(await isCounted()).toBe(true));
  });

  it('that keeps its connection but does not answer, requests go on without delay', async () => {
    await eventually(async () => expect(await isCounted()).toBe(true));
    redis.suspend();
    const duration = await durationOf(async () => {
      for (let index = 0; index < 20; index += 1) expect(await isCounted()).toBe(false);
    });
    expect(duration).toBeLessThan(50);
    redis.resume();
    await eventually(async () => expect(await isCounted()).toBe(true));
    expect(said('not limited')).toHaveLength(1);
  });
});
