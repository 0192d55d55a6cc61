import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '../../src/core/clock.js';
import type { AccessToken } from '../../src/identity/tokens/access-token.entity.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { makeToken, makeUser, tokenRow } from '../support/factories.js';

const MINUTE_MS = 60_000;

const clock = { time: Date.now(), now: () => new Date(clock.time) };

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp({
    env: { TRUST_PROXY: 'loopback' },
    override: (builder) => builder.overrideProvider(Clock).useValue(clock),
  });
});
afterAll(() => app.close());

interface Shown {
  last_used_at: string | null;
  last_used_ips: string[];
}

async function useFrom(token: string, address: string): Promise<void> {
  await api(app.url, token).get('/user').set('X-Forwarded-For', address).expect(200);
}

/** Returns the token's own view of itself, requested from an address that is already recorded. */
async function shown(token: string, from: string): Promise<Shown> {
  const { body } = await api(app.url, token)
    .get('/personal_access_tokens/self')
    .set('X-Forwarded-For', from)
    .expect(200);
  return body as Shown;
}

describe('the addresses that used a token', () => {
  it('are the five last ones, the newest first', async () => {
    const token = await makeToken(app, await makeUser(app));
    const addresses = [1, 2, 3, 4, 5, 6].map((n) => `192.0.2.${n}`);
    for (const address of [...addresses, '192.0.2.3']) {
      await useFrom(token, address);
      await eventually(async () => {
        const { last_used_ips: ips } = await shown(token, address);
        expect(ips[0]).toBe(address);
      });
      clock.time += MINUTE_MS;
    }
    const { last_used_ips: ips } = await shown(token, '192.0.2.3');
    expect(ips).toEqual([3, 6, 5, 4, 2].map((n) => `192.0.2.${n}`));
  });

  it('are noted once a minute, in the form that people know', async () => {
    const token = await makeToken(app, await makeUser(app));
    await useFrom(token, '::ffff:198.51.100.7');
    await useFrom(token, '198.51.100.8');
    await eventually(async () => {
      const { last_used_ips: ips } = await shown(token, '198.51.100.7');
      expect(ips).toEqual(['198.51.100.7']);
    });
    clock.time += MINUTE_MS;
    await useFrom(token, '2001:db8::1');
    await eventually(async () => {
      const { last_used_ips: ips } = await shown(token, '2001:db8::1');
      expect(ips).toEqual(['2001:db8::1', '198.51.100.7']);
    });
  });

  it('leave out what a proxy hands on in place of an address', async () => {
    const token = await makeToken(app, await makeUser(app));
    await useFrom(token, 'unknown');
    await eventually(async () => {
      const { last_used_at: time, last_used_ips: ips } = await shown(token, 'unknown');
      expect([time, ips]).toEqual([clock.now().toISOString(), []]);
    });
  });
});

describe('the time of the last use', () => {
  it('is noted every ten minutes and is no change of the token', async () => {
    const token = await makeToken(app, await makeUser(app));
    const read = (): Promise<AccessToken> => tokenRow(app, token);
    const { updatedAt } = await read();
    const address = '203.0.113.9';
    const start = clock.now();
    const noted = (time: Date): Promise<void> =>
      eventually(async () => expect((await read()).lastUsedAt).toEqual(time));

    await useFrom(token, address);
    await noted(start);
    clock.time += 9 * MINUTE_MS;
    await useFrom(token, '203.0.113.10');
    await eventually(async () => {
      expect((await shown(token, address)).last_used_ips).toContain('203.0.113.10');
    });
    expect((await read()).lastUsedAt).toEqual(start);
    clock.time += MINUTE_MS;
    await useFrom(token, address);
    await noted(clock.now());

    expect((await read()).updatedAt).toEqual(updatedAt);
  });
});
