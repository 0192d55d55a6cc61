import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { Clock } from '../../src/core/clock.js';
import { ProbeModule } from '../auth/probe.module.js';
import { api } from '../support/api-client.js';
import type { OwnTestApp } from '../support/app.js';
import { makeActor, makeAdmin, makeToken } from '../support/factories.js';
import { changeSettings } from '../support/settings.js';
import { newAddress, startLimitedApp, tallyOf } from './limited-app.js';

/** Ten seconds into a window of a minute. */
const START = Date.UTC(2031, 0, 1, 12, 0, 10);
const time = { now: START };
const clock: Clock = { now: () => new Date(time.now) };

let app: OwnTestApp;
beforeAll(async () => {
  app = await startLimitedApp(
    {
      throttle_unauthenticated_api_requests_per_period: 3,
      throttle_unauthenticated_api_period_in_seconds: 60,
      throttle_authenticated_api_requests_per_period: 4,
      throttle_authenticated_api_period_in_seconds: 120,
    },
    {
      imports: [ProbeModule],
      env: { TRUST_PROXY: 'loopback' },
      override: (builder) => builder.overrideProvider(Clock).useValue(clock),
    },
  );
});
afterAll(() => app.close());
beforeEach(() => {
  // Every test has windows of its own.
  time.now += 3_600_000;
});

function open(address: string, token?: string): request.Test {
  return api(app.url, token).get('/probe/public').set('X-Forwarded-For', address);
}

async function times(count: number, send: () => request.Test): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await send()).status);
  return statuses;
}

describe('requests without a user', () => {
  it('are counted by address, with the remaining number', async () => {
    const address = newAddress();
    await open(address);
    const { status, headers } = await open(address);
    expect(status).toBe(200);
    expect(tallyOf(headers)).toEqual({
      name: 'throttle_unauthenticated_api',
      limit: 3,
      observed: 2,
      remaining: 1,
      reset: (Math.floor(time.now / 60_000) + 1) * 60,
    });
  });

  it('are refused over the limit with plain text and the time to wait', async () => {
    const address = newAddress();
    expect(await times(3, () => open(address))).toEqual([200, 200, 200]);
    const { status, headers, text } = await open(address);
    expect({ status, text }).toEqual({ status: 429, text: 'Retry later\n' });
    expect(headers).toMatchObject({
      'content-type': 'text/plain',
      'cache-control': 'no-cache',
      'retry-after': '50',
    });
    const reset = (Math.floor(time.now / 60_000) + 1) * 60;
    expect(tallyOf(headers)).toEqual({
      name: 'throttle_unauthenticated_api',
      limit: 3,
      observed: 4,
      remaining: 0,
      reset,
      resettime: new Date(reset * 1000).toUTCString(),
    });
    expect((await open(newAddress())).status).toBe(200);
  });

  it('are welcome again when the window of the clock ends, not before', async () => {
    const address = newAddress();
    await times(4, () => open(address));
    time.now += 49_000;
    expect((await open(address)).status).toBe(429);
    time.now += 1_000;
    expect((await open(address)).status).toBe(200);
  });

  it('of one IPv6 network count together', async () => {
    const statuses: number[] = [];
    for (const host of [':1', ':2', 'abcd::1', 'ffff:ffff:ffff:ffff']) {
      statuses.push((await open(`2001:db8:0:7:${host}`)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await open('2001:db8:0:8::1')).status).toBe(200);
  });
});

describe('requests of a user', () => {
  it('are counted by user, for all tokens and addresses', async () => {
    const actor = await makeActor(app);
    const second = await makeToken(app, actor.user);
    const answers = [];
    for (const token of [actor.token, second, actor.token, second]) {
      answers.push(await open(newAddress(), token));
    }
    expect(answers.map(({ headers }) => tallyOf(headers)['observed'])).toEqual([1, 2, 3, 4]);
    const { status, headers } = await open(newAddress(), second);
    expect(status).toBe(429);
    expect(tallyOf(headers)).toMatchObject({ name: 'throttle_authenticated_api', limit: 2 });
  });

  it('do not use up what their address may send without a user', async () => {
    const [address, actor] = [newAddress(), await makeActor(app)];
    await times(5, () => open(address, actor.token));
    expect((await open(address)).status).toBe(200);
  });

  it('under sudo are counted for the administrator', async () => {
    const [admin, actor] = [await makeAdmin(app), await makeActor(app)];
    const asActor = (): request.Test =>
      open(newAddress(), admin.token).set('Sudo', actor.user.username);
    expect(await times(5, asActor)).toEqual([200, 200, 200, 200, 429]);
    expect((await open(newAddress(), actor.token)).status).toBe(200);
  });
});

describe('guessing tokens', () => {
  it('ends with 429 for the address, before the next token is looked up', async () => {
    const [address, actor] = [newAddress(), await makeActor(app)];
    let guess = 0;
    const guessing = (): request.Test => open(address, `svcpat-guess-${(guess += 1)}`);
    expect(await times(4, guessing)).toEqual([401, 401, 401, 429]);
    // The address is refused even with a valid token; elsewhere the token still works.
    expect((await open(address, actor.token)).status).toBe(429);
    expect((await open(newAddress(), actor.token)).status).toBe(200);
  });

  it('is not what a client with an expired token does: others at its address go on', async () => {
    const [address, actor] = [newAddress(), await makeActor(app)];
    const expired = await makeToken(app, actor.user, { expiresAt: new Date('2020-01-01') });
    expect(await times(5, () => open(address, expired))).toEqual([401, 401, 401, 429, 429]);
    expect((await open(address, actor.token)).status).toBe(200);
  });
});

describe('bodies that cannot be read', () => {
  it('are no longer read once an address has sent too many', async () => {
    const [address, actor] = [newAddress(), await makeActor(app)];
    const send = (body: string): request.Test =>
      api(app.url, actor.token)
        .post('/probe/rows')
        .set({ 'X-Forwarded-For': address, 'Content-Type': 'application/json' })
        .send(body);
    expect(await times(4, () => send('{bad'))).toEqual([400, 400, 400, 400]);
    expect(await times(2, () => send('{bad'))).toEqual([429, 429]);
    expect((await send('{}')).text).toBe('Retry later\n');
    expect((await open(address, actor.token)).status).toBe(200);
    expect((await send('{}').set('X-Forwarded-For', newAddress())).status).toBe(201);
  });
});

describe('limits', () => {
  it('change at once with the settings, also for who was refused', async () => {
    const address = newAddress();
    await times(4, () => open(address));
    await changeSettings(app, { throttle_unauthenticated_api_requests_per_period: 5 });
    expect((await open(address)).status).toBe(200);
    await changeSettings(app, { throttle_unauthenticated_api_enabled: false });
    const { status, headers } = await open(address);
    expect(status).toBe(200);
    expect(tallyOf(headers)).toEqual({});
    await changeSettings(app, {
      throttle_unauthenticated_api_enabled: true,
      throttle_unauthenticated_api_requests_per_period: 3,
    });
  });

  it('never concern health checks', async () => {
    const checks = await Promise.all(
      Array.from({ length: 20 }, () => request(app.url).get('/-/health')),
    );
    expect(checks.every(({ status }) => status === 200)).toBe(true);
    expect(tallyOf(checks[0]?.headers as Record<string, string>)).toEqual({});
  });

  it('are readable for pages of other origins', async () => {
    const { headers } = await open(newAddress()).set('Origin', 'https://a.example');
    const exposed = String(headers['access-control-expose-headers']).split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining(['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']),
    );
  });
});
