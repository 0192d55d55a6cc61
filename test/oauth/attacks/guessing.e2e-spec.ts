import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { FIXED_CLOCK, newAddress, startLimitedApp } from '../../rate-limits/limited-app.js';
import type { OwnTestApp } from '../../support/app.js';
import { authorizePath } from '../../support/authorization.js';
import { makeUser } from '../../support/factories.js';
import {
  clientFields,
  makeApplication,
  makeOAuthTokens,
  postToken,
  randomHex,
  type MadeApplication,
} from '../../support/oauth-factories.js';
import { signedIn } from '../../support/page-client.js';
import { exchange, getAs, postForm } from './attacker.js';

const TRIES = 4;
/** Later than the clock of these apps. */
const expiresAt = new Date(FIXED_CLOCK.now().getTime() + 60_000);
const SETTINGS = {
  throttle_protected_paths_enabled: false,
  throttle_unauthenticated_api_requests_per_period: TRIES,
};

let app: OwnTestApp;
/** Without a proxy in front, so that clients cannot set their address. */
let bare: OwnTestApp;
let client: MadeApplication;
beforeAll(async () => {
  app = await startLimitedApp(SETTINGS, { env: { TRUST_PROXY: '1' } });
  bare = await startLimitedApp(SETTINGS);
  client = await makeApplication(app);
});
afterAll(async () => {
  await bare.close();
  await app.close();
});

/** Every table with rows in it, and how many. */
async function rowCounts(): Promise<Record<string, string>> {
  const tables = await app.dataSource.query<{ name: string; count: string }[]>(
    `SELECT tablename AS name, (xpath('/row/c/text()', query_to_xml(
       format('SELECT count(*) AS c FROM %I', tablename), false, true, '')))[1]::text AS count
     FROM pg_tables WHERE schemaname = 'public'`,
  );
  return Object.fromEntries(tables.map(({ name, count }) => [name, count]));
}

describe('a flood', () => {
  it('of codes that were never issued writes nothing', async () => {
    const before = await rowCounts();
    for (let times = 0; times < 30; times++) {
      const address = newAddress();
      await exchange(app, client, { code: randomHex() })
        .set('X-Forwarded-For', address)
        .expect(400);
    }
    expect(await rowCounts()).toEqual(before);
  });

  it('of authorization requests writes nothing, signed in or not', async () => {
    const lastSeenAt = FIXED_CLOCK.now();
    const pages = await signedIn(app, await makeUser(app), { lastSeenAt, expiresAt });
    const before = await rowCounts();
    for (let times = 0; times < 20; times++) {
      const path = authorizePath(client, { state: randomHex(), nonce: randomHex() });
      await request(app.url).get(path).set('X-Forwarded-For', newAddress()).expect(302);
      await pages.get(path).expect(200);
      await pages.get(authorizePath({ ...client, uid: randomHex() })).expect(401);
    }
    expect(await rowCounts()).toEqual(before);
  });
});

describe('guessing', () => {
  const guesses: [string, () => request.Test][] = [
    ['secrets of a client', () => credentials(client.uid)],
    ['clients', () => credentials(randomHex())],
    ['codes', () => exchange(app, client, { code: randomHex() })],
    ['refresh tokens', () => refresh()],
    ['access tokens', () => getAs(app, randomHex(), '/oauth/token/info')],
    ['access tokens of the API', () => getAs(app, randomHex())],
    ['access tokens that tell who signed in', () => getAs(app, randomHex(), '/oauth/userinfo')],
    ['secrets that revoke', () => withWrongSecret('/oauth/revoke')],
    ['secrets that introspect', () => withWrongSecret('/oauth/introspect')],
  ];
  const credentials = (uid: string) =>
    postToken(app, {
      grant_type: 'client_credentials',
      ...clientFields({ uid, secret: randomHex() }),
    });
  const withWrongSecret = (path: string) =>
    postForm(app, path, {
      token: randomHex(),
      ...clientFields({ uid: client.uid, secret: randomHex() }),
    });
  const refresh = () =>
    postToken(app, {
      grant_type: 'refresh_token',
      refresh_token: randomHex(),
      ...clientFields(client),
    });

  it.each(guesses)('%s is stopped after some tries of an address', async (_, guess) => {
    const from = newAddress();
    for (let tries = 0; tries < TRIES; tries++) {
      const { status } = await guess().set('X-Forwarded-For', from);
      expect([400, 401, 403]).toContain(status);
    }
    const stopped = await guess().set('X-Forwarded-For', from).expect(429);
    expect(Number(stopped.headers['retry-after'])).toBeGreaterThan(0);
    const { status } = await guess().set('X-Forwarded-For', newAddress());
    expect([400, 401, 403]).toContain(status);
  });

  it('does not end for who changes from one endpoint to the next', async () => {
    const from = newAddress();
    for (const [, guess] of guesses.slice(0, TRIES)) await guess().set('X-Forwarded-For', from);
    for (const [, guess] of guesses) await guess().set('X-Forwarded-For', from).expect(429);
  });

  it('does not lock the application out that works from elsewhere', async () => {
    const from = newAddress();
    const guess = () => credentials(client.uid).set('X-Forwarded-For', from);
    for (let tries = 0; tries < TRIES; tries++) await guess();
    await guess().expect(429);
    const user = await makeUser(app);
    const tokens = await makeOAuthTokens(app, { application: client, user, expiresAt });
    await getAs(app, tokens.access_token, '/oauth/token/info').expect(200);
  });

  it('gains nothing from addresses that a client makes up', async () => {
    const guess = () =>
      getAs(bare, randomHex(), '/oauth/token/info').set({
        'X-Forwarded-For': newAddress(),
        'X-Real-IP': newAddress(),
        Forwarded: `for=${newAddress()}`,
      });
    for (let tries = 0; tries < TRIES; tries++) await guess().expect(401);
    await guess().expect(429);
  });

  it('gains nothing from addresses in front of the one that the proxy adds', async () => {
    const from = newAddress();
    const guess = () =>
      getAs(app, randomHex(), '/oauth/token/info').set(
        'X-Forwarded-For',
        `${newAddress()}, ${from}`,
      );
    for (let tries = 0; tries < TRIES; tries++) await guess().expect(401);
    await guess().expect(429);
  });
});
