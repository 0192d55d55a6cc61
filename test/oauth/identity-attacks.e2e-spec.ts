import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startTestApp, type TestApp } from '../support/app.js';
import { authorizePath, paramsOf } from '../support/authorization.js';
import { makeUser } from '../support/factories.js';
import { CALLBACK, clientFields, makeApplication, postToken } from '../support/oauth-factories.js';
import { signedIn } from '../support/page-client.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Addresses of other sites that a page makes the browser load something from. */
function externalLoads(html: string): string[] {
  const loaded = html.matchAll(/<(?:script|img|link|iframe|source|object)\b[^>]*/g);
  return [...loaded]
    .map(([tag]) => tag)
    .filter((tag) => /(?:src|href|data)="(?:https?:)?\/\//.test(tag));
}

describe('a code or token', () => {
  it('is told to no other site by the pages around consent', async () => {
    const application = await makeApplication(app);
    const pages = await signedIn(app, await makeUser(app));
    const consent = await pages.get(authorizePath(application)).expect(200);
    const mistake = await pages.get(authorizePath({ ...application, uid: 'unknown' })).expect(401);
    for (const { text, headers } of [consent, mistake]) {
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['cross-origin-opener-policy']).toBe('same-origin');
      expect(externalLoads(text)).toEqual([]);
    }
  });

  it('stands in no address: only the code does, which works once', async () => {
    const application = await makeApplication(app, { trusted: true });
    const pages = await signedIn(app, await makeUser(app));
    const { headers } = await pages
      .get(authorizePath(application, { scope: 'openid' }))
      .expect(302);
    const callback = new URL(headers['location'] ?? '');
    expect([...callback.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state']);
    expect(callback.hash).toBe('');
    const answer = await postToken(app, {
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: CALLBACK,
      ...clientFields(application),
    }).expect(200);
    expect(answer.headers['location']).toBeUndefined();
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body.id_token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  });
});

describe('two servers that a client uses', () => {
  it('cannot be mixed up: answers and refusals name the issuer of the description', async () => {
    const { body } = await request(app.url).get('/.well-known/openid-configuration').expect(200);
    const application = await makeApplication(app, { trusted: true });
    const pages = await signedIn(app, await makeUser(app));
    const granted = await pages.get(authorizePath(application)).expect(302);
    const refused = await pages
      .get(authorizePath(application, { response_type: 'token' }))
      .expect(302);
    for (const { headers } of [granted, refused]) {
      expect(paramsOf(headers['location']).get('iss')).toBe(body.issuer);
    }
    expect(body.authorization_response_iss_parameter_supported).toBe(true);
  });
});

describe('a client that is named like a user', () => {
  it('is nobody where a user is asked for', async () => {
    const application = await makeApplication(app, { scopes: ['api', 'openid'] });
    const user = await makeUser(app, { username: application.uid });
    const { body } = await postToken(app, {
      grant_type: 'client_credentials',
      scope: 'api openid',
      ...clientFields(application),
    }).expect(200);
    expect(body.id_token).toBeUndefined();
    const bearer = `Bearer ${body.access_token}`;
    const ask = (path: string) => request(app.url).get(path).set('Authorization', bearer);
    await ask('/api/v4/user').expect(401);
    await ask('/oauth/userinfo').expect(401);
    const info = await ask('/oauth/token/info').expect(200);
    expect(info.body.resource_owner_id).toBeNull();
    expect(user.username).toBe(application.uid);
  });
});
