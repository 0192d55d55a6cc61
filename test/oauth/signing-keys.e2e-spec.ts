import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import request from 'supertest';
import { Clock } from '../../src/core/clock.js';
import { IdTokens } from '../../src/oauth/openid/id-tokens.service.js';
import { OAuthSigningKey } from '../../src/oauth/openid/oauth-signing-keys.repository.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeUser } from '../support/factories.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const START = Date.UTC(2031, 4, 1, 12);

const time = { now: START };
const clock: Clock = { now: () => new Date(time.now) };

let app: OwnTestApp;
beforeEach(async () => {
  time.now = START;
  app = await startTestApp({
    override: (builder) => builder.overrideProvider(Clock).useValue(clock),
  });
});
afterEach(() => app.close());

async function published(): Promise<JSONWebKeySet> {
  const { body } = await request(app.url).get('/oauth/discovery/keys').expect(200);
  return body as JSONWebKeySet;
}

async function kids(): Promise<(string | undefined)[]> {
  return (await published()).keys.map(({ kid }) => kid);
}

async function sign(): Promise<string> {
  const { id: userId } = await makeUser(app);
  const request = { userId, clientId: 'client', scopes: ['openid'], nonce: null, authTime: null };
  return (await app.app.get(IdTokens).sign(request)) ?? '';
}

async function signerAt(now: number): Promise<string | undefined> {
  time.now = now;
  return decodeProtectedHeader(await sign()).kid;
}

describe('the signing keys', () => {
  it('are published without what is secret about them', async () => {
    const { keys } = await published();
    expect(keys).toEqual([
      {
        kty: 'RSA',
        kid: expect.stringMatching(/^[\w-]{43}$/),
        e: 'AQAB',
        n: expect.stringMatching(/^[\w-]{342}$/),
        use: 'sig',
        alg: 'RS256',
      },
    ]);
  });

  it('are stored encrypted', async () => {
    await published();
    const [row] = await app.dataSource.manager.find(OAuthSigningKey);
    expect(Object.keys(row?.publicJwk ?? {}).sort()).toEqual(['e', 'kty', 'n']);
    const encrypted = Buffer.from(row?.encryptedPrivateKey ?? '', 'base64');
    expect(encrypted.includes('"d"')).toBe(false);
  });

  it('are one, however many need the first one at once', async () => {
    await Promise.all([...Array.from({ length: 8 }, sign), published()]);
    expect(await app.dataSource.manager.count(OAuthSigningKey)).toBe(1);
  });

  it('change after 90 days; the next one is known a day before, the former one an hour after', async () => {
    const [first] = await kids();
    expect(await signerAt(START + 88 * DAY_MS)).toBe(first);
    expect(await kids()).toEqual([first]);
    time.now = START + 89 * DAY_MS;
    const [, second] = await kids();
    expect(await signerAt(START + 90 * DAY_MS - 1)).toBe(first);
    expect(await signerAt(START + 90 * DAY_MS)).toBe(second);
    time.now = START + 90 * DAY_MS + HOUR_MS;
    expect(await kids()).toEqual([first, second]);
    time.now += 2 * HOUR_MS;
    expect(await kids()).toEqual([second]);
  });

  it('let a token be checked as long as it is good, also across a change', async () => {
    await kids();
    time.now = START + 89 * DAY_MS;
    await kids();
    time.now = START + 90 * DAY_MS - 1_000;
    const token = await sign();
    time.now += 100_000;
    const keys = createLocalJWKSet(await published());
    const { payload } = await jwtVerify(token, keys, { currentDate: clock.now() });
    expect(payload.iss).toBe(app.url);
  });

  it('are replaced at once when SECRET_KEY has changed', async () => {
    const [lost] = await kids();
    const encryptedPrivateKey = Buffer.alloc(64).toString('base64');
    await app.dataSource.manager.update(OAuthSigningKey, { kid: lost }, { encryptedPrivateKey });
    time.now += 1_000;
    await app.dataSource.query(`SELECT pg_notify('signing_keys', '')`);
    const token = await eventually(async () => {
      const signed = await sign();
      expect(decodeProtectedHeader(signed).kid).not.toBe(lost);
      return signed;
    });
    await jwtVerify(token, createLocalJWKSet(await published()), { currentDate: clock.now() });
  });
});
