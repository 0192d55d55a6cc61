import { beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { CSRF_FIELD } from '../../../src/core/access/csrf.js';
import { credentialDigest } from '../../../src/core/secrets.js';
import { OAuthAccessGrant } from '../../../src/oauth/oauth-access-grants.repository.js';
import { sharedTestApp, type TestApp } from '../../support/app.js';
import { authorizePath, consentOf, paramsOf, PKCE } from '../../support/authorization.js';
import { makeToken } from '../../support/factories.js';
import { makeApplication, type MadeApplication } from '../../support/oauth-factories.js';
import { makeVisitor, pageClient, type PageClient } from '../../support/page-client.js';
import { makePerson, newBrowser, PASSWORD, sessionValue } from '../../support/sign-in.js';

const DECISION = '/oauth/authorize';

let app: TestApp;
let client: MadeApplication;
beforeAll(async () => {
  app = await sharedTestApp();
  client = await makeApplication(app);
});

const consentFor = async (pages: PageClient, path = authorizePath(client)): Promise<string> =>
  consentOf((await pages.get(path).expect(200)).text);

const codesOf = (user: { id: number }): Promise<number> =>
  app.dataSource.manager.countBy(OAuthAccessGrant, { userId: user.id });

describe('a decision that a page of another site sends', () => {
  const send = (pages: PageClient, path = DECISION) =>
    request(app.url).post(path).set('Cookie', `_svc_session=${pages.cookie}`);

  it('is refused without the token of the session, and with that of another one', async () => {
    const { user, pages } = await makeVisitor(app);
    const { pages: attacker } = await makeVisitor(app);
    const consent = await consentFor(pages);
    const forged = [{}, { [CSRF_FIELD]: '' }, { [CSRF_FIELD]: attacker.csrfToken }];
    for (const fields of forged) {
      const answer = await send(pages)
        .type('form')
        .send({ consent, ...fields });
      expect(answer.status).toBe(422);
      expect(answer.headers).not.toHaveProperty('location');
    }
    expect(await codesOf(user)).toBe(0);
  });

  it('is refused when the token is anywhere but in the form or its header', async () => {
    const { user, pages } = await makeVisitor(app);
    const consent = await consentFor(pages);
    const inQuery = `${DECISION}?${CSRF_FIELD}=${pages.csrfToken}`;
    await send(pages, inQuery).type('form').send({ consent }).expect(422);
    const text = JSON.stringify({ consent, [CSRF_FIELD]: pages.csrfToken });
    const asText = await send(pages).set('Content-Type', 'text/plain').send(text);
    expect(asText.status).toBeGreaterThanOrEqual(400);
    await request(app.url).head(`${inQuery}&consent=${consent}`).set('Cookie', '').expect(400);
    expect(await codesOf(user)).toBe(0);
  });

  it('is refused when it carries what the attacker was asked', async () => {
    const { user, pages } = await makeVisitor(app);
    const { pages: attacker } = await makeVisitor(app);
    await pages.post(DECISION, { consent: await consentFor(attacker) }).expect(400);
    expect(await codesOf(user)).toBe(0);
  });
});

describe('a sign-in that an attacker starts for another user', () => {
  it('is refused from a form that was not shown to this browser', async () => {
    const attacker = await makePerson(app);
    const fields = { 'user[login]': attacker.username, 'user[password]': PASSWORD };
    const post = (cookie: string | null, token: string) => {
      const sent = request(app.url).post('/users/sign_in').type('form');
      if (cookie !== null) sent.set('Cookie', `_svc_session=${cookie}`);
      return sent.send({ ...fields, [CSRF_FIELD]: token });
    };
    const [own, other] = [newBrowser(app), newBrowser(app)];
    for (const cookie of [null, other.cookie]) {
      const answer = await post(cookie, own.csrfToken).expect(422);
      expect(String(answer.headers['set-cookie'] ?? '')).not.toMatch(/_svc_session=[\w-]{43};/);
    }
    await post(own.cookie, own.csrfToken).expect(303);
  });

  it('leaves the attacker no session: the one after the sign-in is new', async () => {
    const person = await makePerson(app);
    const planted = newBrowser(app);
    const answer = await planted
      .post('/users/sign_in', { 'user[login]': person.username, 'user[password]': PASSWORD })
      .expect(303);
    expect(sessionValue(answer)).not.toBe(planted.cookie);
    await planted.get('/api/v4/user').expect(401);
    await pageClient(app, sessionValue(answer)).get('/api/v4/user').expect(200);
  });

  it('is not helped by a token in place of a session', async () => {
    const { user } = await makeVisitor(app);
    const token = await makeToken(app, user);
    const path = `${authorizePath(client)}&access_token=${token}`;
    for (const headers of [{ Authorization: `Bearer ${token}` }, { 'PRIVATE-TOKEN': token }]) {
      await request(app.url)
        .get(path)
        .set(headers)
        .expect(302, /^(?!.*code=)/);
    }
    expect(await codesOf(user)).toBe(0);
  });
});

describe('what is approved', () => {
  it('is what was shown, whatever is sent along or was changed in the form', async () => {
    const { pages } = await makeVisitor(app);
    const consent = await consentFor(pages, authorizePath(client, { ...PKCE }));
    const wider = { scope: 'api', client_id: 'other', redirect_uri: 'https://evil.example/' };
    const more = { ...wider, code_challenge: 'x'.repeat(43), response_mode: 'fragment' };
    const query = new URLSearchParams(more).toString();
    const answer = await pages.post(`${DECISION}?${query}`, { consent, ...more }).expect(302);
    expect(answer.headers['location']).toMatch(/^https:\/\/client\.example\/callback\?code=/);
    const code = paramsOf(answer.headers['location']).get('code') ?? '';
    const codeDigest = credentialDigest(code);
    const grant = await app.dataSource.manager.findOneByOrFail(OAuthAccessGrant, { codeDigest });
    expect(grant).toMatchObject({
      scopes: ['read_user'],
      redirectUri: client.redirectUri,
      codeChallenge: PKCE.code_challenge,
    });
  });

  it('cannot be changed in the signed text, not one character of it', async () => {
    const { user, pages } = await makeVisitor(app);
    const consent = await consentFor(pages);
    for (let at = 0; at < consent.length; at += Math.ceil(consent.length / 12)) {
      const other = consent[at] === 'A' ? 'B' : 'A';
      const changed = consent.slice(0, at) + other + consent.slice(at + 1);
      await pages.post(DECISION, { consent: changed }).expect(400);
    }
    expect(await codesOf(user)).toBe(0);
  });

  it('is asked again for every wider scope', async () => {
    const { user, pages } = await makeVisitor(app);
    const earlier = { kind: 'oauth', applicationId: client.id, scopes: ['read_user'] } as const;
    await makeToken(app, user, { ...earlier, scopes: [...earlier.scopes] });
    await pages.get(authorizePath(client)).expect(302);
    await pages.get(authorizePath(client, { scope: 'read_user api' })).expect(200);
    await pages.get(authorizePath(client, { scope: 'api' })).expect(200);
  });
});

describe('an application that pretends to be one without a secret', () => {
  it('gets nothing unasked, however often the real one was approved', async () => {
    const native = await makeApplication(app, { confidential: false, scopes: ['openid'] });
    const { user, pages } = await makeVisitor(app);
    await makeToken(app, user, { kind: 'oauth', applicationId: native.id, scopes: ['openid'] });
    const path = authorizePath(native, { ...PKCE, scope: 'openid' });
    await pages.get(path).expect(200);
    const silent = await pages.get(`${path}&prompt=none`).expect(302);
    const params = paramsOf(silent.headers['location']);
    expect(params.get('error')).toBe('consent_required');
    expect(await codesOf(user)).toBe(0);
  });
});

describe('an application that wants the answer in a leaky way', () => {
  it.each([
    'token',
    'id_token',
    'id_token token',
    'code token',
    'code id_token',
    'code code',
    'none',
    'CODE',
  ])('gets no answer of the type %s', async (type) => {
    const { user, pages } = await makeVisitor(app);
    const path = authorizePath(client, { response_type: type, scope: 'openid', nonce: 'n' });
    const answer = await pages.get(path).expect(302);
    const location = new URL(answer.headers['location'] ?? '');
    expect(location.searchParams.get('error')).toBe('unsupported_response_type');
    expect(location.href).not.toMatch(/token=|code=/);
    expect(await codesOf(user)).toBe(0);
  });

  it.each(['web_message', 'query.jwt', 'jwt', 'Fragment', 'query fragment'])(
    'gets no answer in the mode %s',
    async (mode) => {
      const { pages } = await makeVisitor(app);
      const answer = await pages.get(authorizePath(client, { response_mode: mode })).expect(302);
      const params = paramsOf(answer.headers['location']);
      expect(params.get('error')).toBe('unsupported_response_mode');
      expect(params.has('code')).toBe(false);
    },
  );
});
