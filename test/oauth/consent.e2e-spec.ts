import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { CSRF_FIELD } from '../../src/core/access/csrf.js';
import { credentialDigest } from '../../src/core/secrets.js';
import { OAuthAccessGrant } from '../../src/oauth/oauth-access-grants.repository.js';
import { OAuthApplication } from '../../src/oauth/oauth-applications.repository.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { approve, authorizePath, consentOf, paramsOf, PKCE } from '../support/authorization.js';
import { makeToken } from '../support/factories.js';
import { textOf } from '../support/html.js';
import { makeApplication, type MadeApplication } from '../support/oauth-factories.js';
import { makeVisitor, signedIn, type PageClient } from '../support/page-client.js';
import { changeSettings } from '../support/settings.js';

let app: TestApp;
let client: MadeApplication;
beforeAll(async () => {
  app = await sharedTestApp();
  client = await makeApplication(app, { name: 'Timesheets <b>' });
});

async function grantOf(params: URLSearchParams): Promise<OAuthAccessGrant> {
  const codeDigest = credentialDigest(params.get('code') ?? '');
  return app.dataSource.manager.findOneByOrFail(OAuthAccessGrant, { codeDigest });
}

async function consentFor(pages: PageClient, path: string): Promise<string> {
  return consentOf((await pages.get(path).expect(200)).text);
}

describe('the consent page', () => {
  it('tells who asks, for what, and where the answer goes', async () => {
    const { user: owner } = await makeVisitor(app, { name: 'Olga Owner' });
    const application = await makeApplication(app, { name: 'Timesheets <b>', ownerId: owner.id });
    const { user, pages } = await makeVisitor(app);
    const path = authorizePath(application, { scope: 'read_user email' });
    const answer = await pages.get(path).expect(200);
    const text = textOf(answer.text);
    expect(text).toContain('Authorize Timesheets <b>');
    expect(text).toContain(user.username);
    expect(text).toContain(`Olga Owner (${owner.username})`);
    expect(text).toContain('Read your profile');
    expect(text).toContain('Read your primary email');
    expect(text).not.toContain('through the API');
    expect(text).toContain('client.example');
  });

  it('cannot be framed, redirects only to the application, and sends no referrer', async () => {
    const { pages } = await makeVisitor(app);
    const { headers } = await pages.get(authorizePath(client)).expect(200);
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/form-action 'self' https:\/\/client\.example(;|$)/);
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin',
    });
  });

  it('lets another account sign in, and leads it back to the request', async () => {
    const { pages } = await makeVisitor(app);
    const path = authorizePath(client, { prompt: 'consent login', scope: 'read_user' });
    const { text } = await pages.get(path).expect(200);
    expect(text).toContain('action="/oauth/authorize/switch"');
    const answer = await pages.post('/oauth/authorize/switch', { return_to: path }).expect(303);
    expect(answer.headers['location']).toBe('/users/sign_in');
    const cookies = String(answer.headers['set-cookie']);
    const query = new URL(path, app.url).searchParams;
    query.set('prompt', 'consent');
    expect(cookies).toContain(encodeURIComponent(`/oauth/authorize?${query.toString()}`));
    const after = await pages.get(path).expect(302);
    expect(after.headers['location']).toBe('/users/sign_in');
    for (const foreign of ['https://evil.example/', '//evil.example/?']) {
      const visitor = await makeVisitor(app);
      const left = await visitor.pages.post('/oauth/authorize/switch', { return_to: foreign });
      expect(left.headers['location']).toBe('/users/sign_in');
    }
  });

  it('makes no code before it is approved', async () => {
    const { user, pages } = await makeVisitor(app);
    await pages.get(authorizePath(client)).expect(200);
    const count = await app.dataSource.manager.countBy(OAuthAccessGrant, { userId: user.id });
    expect(count).toBe(0);
  });

  it('is not shown to tokens', async () => {
    const { user } = await makeVisitor(app);
    const token = await makeToken(app, user);
    const answer = await request(app.url)
      .get(authorizePath(client))
      .set('Authorization', `Bearer ${token}`)
      .expect(302);
    expect(answer.headers['location']).toBe('/users/sign_in');
  });
});

describe('POST /oauth/authorize', () => {
  it('answers with a code for what was shown and tells the trail', async () => {
    const { user, pages } = await makeVisitor(app);
    const path = authorizePath(client, { ...PKCE, scope: 'read_user email', nonce: 'n1' });
    const params = await approve(pages, path);
    expect(Object.fromEntries(params)).toEqual({
      code: expect.stringMatching(/^[0-9a-f]{64}$/),
      state: 'opaque',
      iss: app.url,
    });
    expect(await grantOf(params)).toMatchObject({
      userId: user.id,
      applicationId: client.id,
      scopes: ['read_user', 'email'],
      nonce: 'n1',
    });
    const entry = await app.dataSource.manager.findOneByOrFail(AuditEvent, {
      action: 'oauth_application_authorized',
      authorId: user.id,
    });
    expect(entry).toMatchObject({ targetId: client.id, entityType: 'User', entityId: user.id });
  });

  it('does not read what else the form is sent with', async () => {
    const { pages } = await makeVisitor(app);
    const consent = await consentFor(pages, authorizePath(client));
    const more = {
      scope: 'api',
      client_id: 'x',
      redirect_uri: 'https://evil.example/',
      state: 'y',
    };
    const answer = await pages.post('/oauth/authorize', { consent, ...more }).expect(302);
    const params = paramsOf(answer.headers['location']);
    expect(answer.headers['location']).toMatch(/^https:\/\/client\.example\/callback\?/);
    expect(params.get('state')).toBe('opaque');
    expect((await grantOf(params)).scopes).toEqual(['read_user']);
  });

  it('refuses without the token of the form', async () => {
    const { pages } = await makeVisitor(app);
    const consent = await consentFor(pages, authorizePath(client));
    for (const fields of [{ consent }, { consent, [CSRF_FIELD]: 'x'.repeat(43) }]) {
      const answer = await request(app.url)
        .post('/oauth/authorize')
        .set('Cookie', `_svc_session=${pages.cookie}`)
        .type('form')
        .send(fields)
        .expect(422);
      expect(answer.headers).not.toHaveProperty('location');
    }
  });

  it('refuses who is not signed in', async () => {
    const { pages } = await makeVisitor(app);
    const consent = await consentFor(pages, authorizePath(client));
    await request(app.url).post('/oauth/authorize').type('form').send({ consent }).expect(422);
  });

  it('refuses what another session was shown, and what was made up or changed', async () => {
    const { user, pages } = await makeVisitor(app);
    const consent = await consentFor(pages, authorizePath(client));
    const again = await signedIn(app, user);
    const other = (await makeVisitor(app)).pages;
    await again.post('/oauth/authorize', { consent }).expect(400);
    await other.post('/oauth/authorize', { consent }).expect(400);
    const changed = `${consent.startsWith('A') ? 'B' : 'A'}${consent.slice(1)}`;
    await pages.post('/oauth/authorize', { consent: changed }).expect(400);
    await pages.post('/oauth/authorize', {}).expect(400);
    await pages.post('/oauth/authorize', { consent: [consent] }).expect(400);
    const count = await app.dataSource.manager.countBy(OAuthAccessGrant, { userId: user.id });
    expect(count).toBe(0);
  });

  it('refuses what the application may no longer have', async () => {
    const { pages } = await makeVisitor(app);
    const changes: [Partial<OAuthApplication> | null, number][] = [
      [{ redirectUris: ['https://client.example/other'] }, 400],
      [{ scopes: ['email'] }, 400],
      [{ confidential: false }, 400],
      [null, 401],
    ];
    for (const [change, status] of changes) {
      const application = await makeApplication(app);
      const consent = await consentFor(pages, authorizePath(application));
      const { manager } = app.dataSource;
      if (change === null) await manager.delete(OAuthApplication, { id: application.id });
      else await manager.update(OAuthApplication, { id: application.id }, change);
      const answer = await pages.post('/oauth/authorize', { consent }).expect(status);
      expect(answer.headers).not.toHaveProperty('location');
    }
  });
});

describe('denying', () => {
  it('tells the application by the button', async () => {
    const { user, pages } = await makeVisitor(app);
    const consent = await consentFor(pages, authorizePath(client));
    const answer = await pages.post('/oauth/authorize/deny', { consent }).expect(302);
    expect(answer.headers['location']).toMatch(/^https:\/\/client\.example\/callback\?/);
    expect(Object.fromEntries(paramsOf(answer.headers['location']))).toEqual({
      error: 'access_denied',
      error_description: 'The resource owner or authorization server denied the request.',
      state: 'opaque',
      iss: app.url,
    });
    const count = await app.dataSource.manager.countBy(OAuthAccessGrant, { userId: user.id });
    expect(count).toBe(0);
  });

  it('refuses what was not shown to the session', async () => {
    const { pages } = await makeVisitor(app);
    await pages.post('/oauth/authorize/deny', { consent: 'x' }).expect(400);
  });

  it('tells the application by DELETE with the token of the session', async () => {
    const { pages } = await makeVisitor(app);
    const send = (path: string) =>
      request(app.url).delete(path).set('Cookie', `_svc_session=${pages.cookie}`);
    const path = authorizePath(client);
    const answer = await send(path).set('X-CSRF-Token', pages.csrfToken).expect(302);
    const params = paramsOf(answer.headers['location']);
    expect(params.get('error')).toBe('access_denied');
    expect(params.get('state')).toBe('opaque');
    await send(path)
      .type('form')
      .send({ [CSRF_FIELD]: pages.csrfToken })
      .expect(302);
    await send(path).expect(422);
    const elsewhere = authorizePath(client, { redirect_uri: 'https://evil.example/' });
    await send(elsewhere).set('X-CSRF-Token', pages.csrfToken).expect(400);
  });
});

describe('consent that was given before', () => {
  it('is a confidential application that had the same scopes before', async () => {
    const { user, pages } = await makeVisitor(app);
    await makeToken(app, user, {
      kind: 'oauth',
      applicationId: client.id,
      scopes: ['read_user', 'email'],
      expiresAt: new Date(0),
    });
    const ask = (scope: string) => pages.get(authorizePath(client, { scope }));
    await ask('email read_user').expect(302);
    await ask('read_user').expect(200);
    await ask('read_user email openid').expect(200);
  });

  it('is none whose token was revoked', async () => {
    const { user, pages } = await makeVisitor(app);
    const revoked = { kind: 'oauth', applicationId: client.id, revokedAt: new Date() } as const;
    await makeToken(app, user, { ...revoked, scopes: ['read_user'] });
    await pages.get(authorizePath(client)).expect(200);
  });

  it('is not remembered without a secret, as the client could be impersonated', async () => {
    const native = await makeApplication(app, { confidential: false });
    const { user, pages } = await makeVisitor(app);
    const token = { kind: 'oauth', applicationId: native.id } as const;
    await makeToken(app, user, { ...token, scopes: ['read_user'] });
    await pages.get(authorizePath(native, PKCE)).expect(200);
  });
});

describe('who may authorize what', () => {
  it('lets only administrators give the scopes of administrators', async () => {
    const application = await makeApplication(app, { scopes: ['api', 'sudo', 'admin_mode'] });
    const path = authorizePath(application, { scope: 'api sudo' });
    const admin = (await makeVisitor(app, { admin: true })).pages;
    const { pages } = await makeVisitor(app);
    expect((await grantOf(await approve(admin, path))).scopes).toEqual(['api', 'sudo']);
    expect((await grantOf(await approve(pages, path))).scopes).toEqual(['api']);
    const answer = await pages.get(authorizePath(application, { scope: 'sudo' })).expect(302);
    const params = paramsOf(answer.headers['location']);
    expect(params.get('error')).toBe('invalid_scope');
    expect(params.get('error_description')).toContain(': sudo (administrators only).');
  });

  it('gives no code to who has not confirmed the e-mail address', async () => {
    const trusted = await makeApplication(app, { trusted: true });
    const { user, pages } = await makeVisitor(app, { confirmedAt: null });
    for (const application of [client, trusted]) {
      const answer = await pages.get(authorizePath(application)).expect(403);
      expect(textOf(answer.text)).toContain('Confirm your email address');
    }
    const count = await app.dataSource.manager.countBy(OAuthAccessGrant, { userId: user.id });
    expect(count).toBe(0);
  });

  it('keeps powerful scopes of administrators from untrusted applications by setting', async () => {
    const admin = (await makeVisitor(app, { admin: true })).pages;
    const { pages } = await makeVisitor(app);
    const trusted = await makeApplication(app, { trusted: true });
    const modest = await makeApplication(app, { scopes: ['read_user', 'openid'] });
    const consent = await consentFor(admin, authorizePath(client));
    await changeSettings(app, { disable_admin_oauth_scopes: true });
    try {
      await admin.get(authorizePath(client)).expect(403);
      await admin.post('/oauth/authorize', { consent }).expect(403);
      const silent = { scope: 'openid', prompt: 'none' };
      const answer = await admin.get(authorizePath(client, silent)).expect(302);
      expect(paramsOf(answer.headers['location']).get('error')).toBe('consent_required');
      await admin.get(authorizePath(trusted)).expect(302);
      await admin.get(authorizePath(modest)).expect(200);
      await pages.get(authorizePath(client)).expect(200);
    } finally {
      await changeSettings(app, { disable_admin_oauth_scopes: false });
    }
  });
});
