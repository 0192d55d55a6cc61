import { GitbeakerRetryError } from '@gitbeaker/rest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Clock } from '../../src/core/clock.js';
import { startLimitedApp } from '../rate-limits/limited-app.js';
import type { OwnTestApp } from '../support/app.js';
import { makeActor } from '../support/factories.js';
import { clientOf } from './client.js';

/** Stands still unless a test makes it run: then each look at it takes seven seconds. */
const time = { now: Date.UTC(2031, 0, 1, 12, 0, 10), step: 0 };
const clock: Clock = { now: () => new Date((time.now += time.step)) };

let app: OwnTestApp;
beforeAll(async () => {
  app = await startLimitedApp(
    {
      throttle_authenticated_api_requests_per_period: 1,
      throttle_authenticated_api_period_in_seconds: 60,
    },
    { override: (builder) => builder.overrideProvider(Clock).useValue(clock) },
  );
});
afterAll(() => app.close());
beforeEach(() => {
  time.step = 0;
});

describe('a client above its limit', () => {
  it('reports the rate limit after its last retry', async () => {
    const { token } = await makeActor(app);
    const client = clientOf(app, { token });
    await client.Metadata.show();
    const limited = client.Metadata.show();
    await expect(limited).rejects.toThrow(GitbeakerRetryError);
    await expect(limited).rejects.toThrow('last status code: 429');
    const answer = await fetch(`${app.url}/api/v4/metadata`, {
      headers: { 'PRIVATE-TOKEN': token },
    });
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('50');
  });

  it('gets its answer by trying again when the window has passed', async () => {
    const { token } = await makeActor(app);
    const client = clientOf(app, { token });
    await client.Metadata.show();
    const limited = await fetch(`${app.url}/api/v4/metadata`, {
      headers: { 'PRIVATE-TOKEN': token },
    });
    expect(limited.status).toBe(429);
    time.step = 7_000;
    expect(await client.Metadata.show()).toMatchObject({ version: expect.any(String) });
  });
});
