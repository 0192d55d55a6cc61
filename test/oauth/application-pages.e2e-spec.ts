import { beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import type { Scope } from '../../src/core/access/scopes.js';
import { credentialDigest } from '../../src/core/secrets.js';
import { OAuthApplication } from '../../src/oauth/oauth-applications.repository.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { unique } from '../support/factories.js';
import { textOf } from '../support/html.js';
import {
  clientFields,
  makeApplication,
  makeGrant,
  makeOAuthTokens,
  postRefresh,
  postToken,
  type TokenBody,
} from '../support/oauth-factories.js';
import { makeVisitor, pageClient } from '../support/page-client.js';
import { changeSettings } from '../support/settings.js';

const OWN = '/-/user_settings/applications';
const ADMIN = '/admin/applications';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

function fieldsOf(name: string) {
  const redirect_uri = 'https://client.example/a\r\nhttps://client.example/b';
  return { name, redirect_uri, scopes: ['read_user', 'openid'], confidential: 'true' };
}

function rowOf(name: string): Promise<OAuthApplication> {
  return app.dataSource.manager.findOneByOrFail(OAuthApplication, { name });
}

describe('the pages of own applications', () => {
  it('register an application and show its secret on one page only', async () => {
    const { user, pages } = await makeVisitor(app);
    const name = unique('app');
    const { text: blank } = await pages.get(`${OWN}/new`).expect(200);
    expect(blank).toMatch(/value="openid" checked/);
    const made = await pages.post(OWN, { ...fieldsOf(name), trusted: 'true' }).expect(303);
    const row = await rowOf(name);
    expect(row).toMatchObject({
      ownerId: user.id,
      redirectUris: ['https://client.example/a', 'https://client.example/b'],
      scopes: ['read_user', 'openid'],
      confidential: true,
      trusted: false,
    });
    const path = `${OWN}/${row.id}`;
    expect(made.headers['location']).toBe(path);
    const flash = /_svc_flash=[^;]+/.exec(String(made.headers['set-cookie']))?.[0] ?? '';
    expect(flash).not.toContain('svcoas-');
    const cookie = `_svc_session=${pages.cookie}; ${flash}`;
    const shown = await pages.get(path).set('Cookie', cookie).expect(200);
    const secret = /value="(svcoas-[0-9a-v]{32})"/.exec(shown.text)?.[1] ?? '';
    expect(credentialDigest(secret)).toEqual(row.secretDigest);
    expect(shown.text).toContain(row.uid);
    expect(String(shown.headers['set-cookie'])).toContain('_svc_flash=;');
    const later = await pages.get(path).expect(200);
    expect(later.text).not.toContain('svcoas-');
  });

  it('show how to sign in by hand, but not without a secret', async () => {
    const { user, pages } = await makeVisitor(app);
    const { id, uid } = await makeApplication(app, { ownerId: user.id });
    const { text } = await pages.get(`${OWN}/${id}`).expect(200);
    const url = /value="([^"]+\/oauth\/authorize[^"]+)"/.exec(text)?.[1] ?? '';
    const query = new URL(url.replaceAll('&amp;', '&')).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({
      client_id: uid,
      redirect_uri: 'https://client.example/callback',
      response_type: 'code',
    });
    expect(textOf(text)).toContain(`--user "${uid}:$CLIENT_SECRET"`);
    const open = await makeApplication(app, { ownerId: user.id, confidential: false });
    expect((await pages.get(`${OWN}/${open.id}`)).text).not.toContain('Setup example');
  });

  it('show the form again with what is wrong and what was given', async () => {
    const { pages } = await makeVisitor(app);
    const form = {
      ...fieldsOf('Times'),
      redirect_uri: 'javascript:alert(1)',
      confidential: 'false',
    };
    const answer = await pages.post(OWN, { ...form, scopes: [] }).expect(422);
    const text = textOf(answer.text);
    expect(text).toContain('Redirect URI is forbidden by the server.');
    expect(text).toContain("Scopes can't be blank.");
    expect(answer.text).toContain('value="Times"');
    expect(answer.text).toContain('javascript:alert(1)');
  });

  it('change an application and tell the trail what changed', async () => {
    const { user, pages } = await makeVisitor(app);
    const { id } = await makeApplication(app, { ownerId: user.id, name: unique('app') });
    const form = await pages.get(`${OWN}/${id}/edit`).expect(200);
    expect(form.text).toContain('https://client.example/callback');
    const name = unique('renamed');
    const path = `${OWN}/${id}/edit`;
    await pages.post(path, { ...fieldsOf(name), confidential: 'false' }).expect(303);
    expect(await rowOf(name)).toMatchObject({
      id,
      confidential: false,
      scopes: ['read_user', 'openid'],
    });
    await pages.post(path, { ...fieldsOf(name), confidential: 'false' }).expect(303);
    await pages.post(path, { ...fieldsOf(''), confidential: 'false' }).expect(422);
    const audited = { action: 'oauth_application_updated', targetId: id };
    const entries = await app.dataSource.manager.findBy(AuditEvent, audited);
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ entityType: 'User', entityId: user.id });
    expect(entries[0]?.details).toMatchObject({ confidential: { from: true, to: false } });
  });

  it('immediately remove lost scopes from tokens and codes', async () => {
    const { user, pages } = await makeVisitor(app);
    const scopes: Scope[] = ['api', 'read_user', 'openid'];
    const application = await makeApplication(app, { ownerId: user.id, scopes });
    const { id, redirectUri } = application;
    const tokens = await makeOAuthTokens(app, { application, user, scopes: ['read_user', 'api'] });
    const doomed = await makeOAuthTokens(app, { application, user, scopes: ['api'] });
    const code = await makeGrant(app, { application, user, scopes });
    const asBearer = ({ access_token: token }: TokenBody, path: string) =>
      api(app.url).get(path).auth(token, { type: 'bearer' });
    await asBearer(tokens, '/projects').expect(200);
    await asBearer(doomed, '/projects').expect(200);

    const form = { ...fieldsOf(unique('app')), redirect_uri: redirectUri };
    await pages.post(`${OWN}/${id}/edit`, form).expect(303);

    await asBearer(tokens, '/projects').expect(403);
    await asBearer(tokens, '/user').expect(200);
    const refused = await asBearer(doomed, '/projects').expect(401);
    expect(refused.body).toMatchObject({ error: 'invalid_token' });
    await postRefresh(app, application, doomed.refresh_token).expect(400);
    const refreshed = await postRefresh(app, application, tokens.refresh_token).expect(200);
    expect(refreshed.body.scope).toBe('read_user');
    const fields = { code, redirect_uri: redirectUri, ...clientFields(application) };
    const exchange = { grant_type: 'authorization_code', ...fields };
    expect((await postToken(app, exchange).expect(200)).body.scope).toBe('read_user openid');
  });

  it('renew the secret and delete the application', async () => {
    const { user, pages } = await makeVisitor(app);
    const { id, secret } = await makeApplication(app, { ownerId: user.id });
    await pages.post(`${OWN}/${id}/renew`).expect(303).expect('Location', `${OWN}/${id}`);
    const { manager } = app.dataSource;
    const row = await manager.findOneByOrFail(OAuthApplication, { id });
    expect(row.secretDigest).not.toEqual(credentialDigest(secret));
    await pages.post(`${OWN}/${id}/delete`).expect(303).expect('Location', OWN);
    await pages.get(`${OWN}/${id}`).expect(404);
  });

  it('hide the applications of others, and of the instance', async () => {
    const { user } = await makeVisitor(app);
    const { pages } = await makeVisitor(app, { admin: true });
    for (const ownerId of [user.id, null]) {
      const { id } = await makeApplication(app, { ownerId });
      await pages.get(`${OWN}/${id}`).expect(404);
      await pages.get(`${OWN}/${id}/edit`).expect(404);
      await pages.post(`${OWN}/${id}/edit`, fieldsOf('x')).expect(404);
      await pages.post(`${OWN}/${id}/renew`).expect(404);
      await pages.post(`${OWN}/${id}/delete`).expect(404);
    }
  });

  it('register none where the setting forbids it, but let what is there be managed', async () => {
    const { user, pages } = await makeVisitor(app);
    const { id } = await makeApplication(app, { ownerId: user.id });
    await changeSettings(app, { user_oauth_applications: false });
    try {
      for (const answer of [pages.get(`${OWN}/new`), pages.post(OWN, fieldsOf('x'))]) {
        await answer.expect(303).expect('Location', '/-/user_settings/profile');
      }
      const list = await pages.get(OWN).expect(200);
      expect(list.text).not.toContain(`${OWN}/new`);
      expect(list.text).toContain(`${OWN}/${id}`);
      await pages.post(`${OWN}/${id}/delete`).expect(303);
    } finally {
      await changeSettings(app, { user_oauth_applications: true });
    }
  });

  it('are for people who are signed in', async () => {
    const stranger = pageClient(app, 'anonymous.x');
    await stranger.get(OWN).expect(302).expect('Location', '/users/sign_in');
  });
});

describe('the pages of applications of the instance', () => {
  it('register trusted applications and list them', async () => {
    const { pages } = await makeVisitor(app, { admin: true });
    const name = unique('app');
    await pages.get(`${ADMIN}/new`).expect(200);
    await pages.post(ADMIN, { ...fieldsOf(name), trusted: 'true' }).expect(303);
    const { id, trusted, ownerId } = await rowOf(name);
    expect({ trusted, ownerId }).toEqual({ trusted: true, ownerId: null });
    const list = await pages.get(ADMIN).expect(200);
    expect(textOf(list.text)).toContain(name);
    const form = await pages.get(`${ADMIN}/${id}/edit`).expect(200);
    expect(form.text).toMatch(/name="trusted"[^<>]*checked|checked[^<>]*name="trusted"/);
    await pages.post(`${ADMIN}/${id}/edit`, { ...fieldsOf(name), trusted: 'false' }).expect(303);
    expect(await rowOf(name)).toMatchObject({ trusted: false });
    await pages.get(`${ADMIN}/${id}`).expect(200);
    await pages.post(`${ADMIN}/${id}/renew`).expect(303);
    await pages.post(`${ADMIN}/${id}/delete`).expect(303).expect('Location', ADMIN);
  });

  it('are not there for others', async () => {
    const { pages } = await makeVisitor(app);
    await pages.get(ADMIN).expect(404);
    await pages.post(ADMIN, fieldsOf('x')).expect(404);
  });
});
