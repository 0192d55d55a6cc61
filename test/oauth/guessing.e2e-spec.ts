import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeUser } from '../support/factories.js';
import {
  clientFields,
  makeApplication,
  makeOAuthTokens,
  postRefresh,
  postToken,
  randomHex,
} from '../support/oauth-factories.js';
import { changeSettings } from '../support/settings.js';

let app: OwnTestApp;
beforeAll(async () => {
  app = await startTestApp({ env: { RATE_LIMITS: 'on', TRUST_PROXY: '1' } });
  await changeSettings(app, {
    throttle_protected_paths_enabled: false,
    throttle_unauthenticated_api_requests_per_period: 5,
  });
});
afterAll(() => app.close());

let addresses = 0;
const newAddress = (): string => `203.0.113.${(addresses += 1)}`;

const rows = () =>
  app.dataSource.query<object[]>(
    `SELECT (SELECT count(*) FROM oauth_access_grants) AS grants,
       (SELECT count(*) FROM access_tokens) AS tokens,
       (SELECT count(*) FROM audit_events) AS trail`,
  );

describe('guessing at OAuth endpoints', () => {
  it.each([
    ['secrets', (client: string) => ({ grant_type: 'client_credentials', client_id: client })],
    ['clients', () => ({ grant_type: 'client_credentials', client_id: randomHex() })],
  ])('%s is stopped by address', async (_, fields) => {
    const { uid } = await makeApplication(app);
    const from = newAddress();
    const guess = () =>
      postToken(app, { ...fields(uid), client_secret: randomHex() }).set('X-Forwarded-For', from);
    for (let times = 0; times < 5; times++) await guess().expect(401);
    const { body } = await guess().expect(429);
    expect(body).toMatchObject({ error: 'temporarily_unavailable' });
  });

  it('codes is stopped by address, and nothing is written for unknown ones', async () => {
    const client = await makeApplication(app);
    const from = newAddress();
    const guess = () =>
      postToken(app, {
        grant_type: 'authorization_code',
        code: randomHex(),
        redirect_uri: client.redirectUri,
        ...clientFields(client),
      }).set('X-Forwarded-For', from);
    const before = await rows();
    for (let times = 0; times < 5; times++) await guess().expect(400);
    await guess().expect(429);
    expect(await rows()).toEqual(before);
  });

  it('tokens is stopped by address, and only there', async () => {
    const from = newAddress();
    const ask = (token: string, address: string) =>
      request(app.url)
        .get('/oauth/token/info')
        .auth(token, { type: 'bearer' })
        .set('X-Forwarded-For', address);
    for (let times = 0; times < 5; times++) await ask(randomHex(), from).expect(401);
    await ask(randomHex(), from).expect(429);
    const application = await makeApplication(app);
    const tokens = await makeOAuthTokens(app, { application, user: await makeUser(app) });
    await ask(tokens.access_token, newAddress()).expect(200);
  });

  it('is not what a client does whose tokens have ended', async () => {
    const application = await makeApplication(app);
    const tokens = await makeOAuthTokens(app, { application, user: await makeUser(app) });
    const from = newAddress();
    const refresh = () =>
      postRefresh(app, application, tokens.refresh_token).set('X-Forwarded-For', from);
    await refresh().expect(200);
    for (let times = 0; times < 8; times++) await refresh().expect(400);
  });
});
