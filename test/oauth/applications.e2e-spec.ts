import { beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { credentialDigest } from '../../src/core/secrets.js';
import { AccessToken } from '../../src/identity/tokens/access-token.entity.js';
import { OAuthAccessGrant } from '../../src/oauth/oauth-access-grants.repository.js';
import { OAuthApplication } from '../../src/oauth/oauth-applications.repository.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor, makeAdmin, makeToken, unique, type MadeActor } from '../support/factories.js';
import { makeApplication, makeGrant, postToken } from '../support/oauth-factories.js';

let app: TestApp;
let admin: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  admin = await makeAdmin(app);
});

const VALID = {
  name: 'Timesheets',
  redirect_uri: 'https://timesheets.example.com/callback',
  scopes: 'read_user openid',
};

async function rowOf(id: number): Promise<OAuthApplication> {
  return app.dataSource.manager.findOneByOrFail(OAuthApplication, { id });
}

describe('POST /applications', () => {
  it('registers an application of the instance and shows its secret once', async () => {
    const { body } = await admin.api.post('/applications', VALID).expect(201);
    expect(body).toEqual({
      id: expect.any(Number),
      application_id: expect.stringMatching(/^[0-9a-f]{64}$/),
      application_name: 'Timesheets',
      callback_url: 'https://timesheets.example.com/callback',
      confidential: true,
      scopes: ['read_user', 'openid'],
      secret: expect.stringMatching(/^svcoas-[0-9a-v]{32}$/),
    });
    const row = await rowOf((body as { id: number }).id);
    expect(row).toMatchObject({ ownerId: null, trusted: false, uid: body.application_id });
    expect(row.secretDigest).toEqual(credentialDigest(body.secret as string));
    const entry = await app.dataSource.manager.findOneByOrFail(AuditEvent, {
      action: 'oauth_application_created',
      targetId: row.id,
    });
    expect(entry).toMatchObject({ authorId: admin.user.id, entityType: 'Instance' });
    expect(JSON.stringify(entry)).not.toContain(body.secret);
  });

  it('takes several redirect URIs and applications without secret', async () => {
    const redirect_uri = ' myapp://callback\nhttp://127.0.0.1/cb  http://localhost:3000/cb ';
    const input = { ...VALID, redirect_uri, confidential: false };
    const { body } = await admin.api.post('/applications', input).expect(201);
    expect(body).toMatchObject({
      callback_url: 'myapp://callback\nhttp://127.0.0.1/cb\nhttp://localhost:3000/cb',
      confidential: false,
    });
  });

  it.each([
    ['', "can't be blank"],
    ['   ', "can't be blank"],
    ['https://client.example/cb#top', 'cannot contain a fragment.'],
    ['/callback', 'must be an absolute URI.'],
    ['client.example/callback', 'must be an absolute URI.'],
    ['localhost:3000', 'must specify a scheme.'],
    ['mailto:somebody@client.example', 'must specify a scheme.'],
    ['javascript:alert(1)', 'is forbidden by the server.'],
    ['JavaScript://client.example/%0aalert(1)', 'is forbidden by the server.'],
    ['data:text/html,x', 'is forbidden by the server.'],
    ['vbscript:x', 'is forbidden by the server.'],
    ['https:///callback', 'must be a valid URI.'],
    ['https://', 'must be a valid URI.'],
    ['https://user:secret@client.example/', 'must be a valid URI.'],
    ['https://client.example/<x>', 'must be a valid URI.'],
    ['https://cl\u0456ent.example/', 'must be a valid URI.'],
    ['https://client.example\\@evil.example/', 'must be a valid URI.'],
    ['https://*.example/callback', 'must match exactly and cannot contain a wildcard.'],
    ['https://client.example/*', 'must match exactly and cannot contain a wildcard.'],
    ['https://client.example:*/callback', 'must match exactly and cannot contain a wildcard.'],
    [`https://client.example/${'x'.repeat(2_048)}`, 'is too long (maximum is 2048 characters)'],
  ])('refuses the redirect URI %p', async (redirect_uri, message) => {
    const { body } = await admin.api.post('/applications', { ...VALID, redirect_uri }).expect(400);
    expect(body).toEqual({ message: { redirect_uri: expect.arrayContaining([message]) } });
  });

  it('refuses what one of several redirect URIs is', async () => {
    const redirect_uri = 'https://client.example/cb\ndata:,x';
    const { body } = await admin.api.post('/applications', { ...VALID, redirect_uri }).expect(400);
    expect(body.message.redirect_uri).toContain('is forbidden by the server.');
  });

  it.each([
    [{ scopes: '' }, { scopes: ["can't be blank"] }],
    [{ scopes: 'read_user fly' }, { scopes: ["doesn't match configured on the server."] }],
    [{ scopes: 'constructor' }, { scopes: ["doesn't match configured on the server."] }],
    [{ name: ' ' }, { name: ["can't be blank"] }],
    [{ name: 'x'.repeat(256) }, { name: ['is too long (maximum is 255 characters)'] }],
    [{ name: 'Time\u202esteehs' }, { name: ['is invalid'] }],
    [
      { name: '', scopes: '' },
      { name: ["can't be blank"], scopes: ["can't be blank"] },
    ],
  ])('refuses %j', async (input, message) => {
    const { body } = await admin.api.post('/applications', { ...VALID, ...input }).expect(400);
    expect(body).toEqual({ message });
  });

  it('names what is missing or of no use', async () => {
    const missing = await admin.api.post('/applications', { scopes: 'api' }).expect(400);
    expect(missing.body.error).toBe('name is missing, redirect_uri is missing');
    const wrong = { ...VALID, confidential: 'perhaps' };
    const { body } = await admin.api.post('/applications', wrong).expect(400);
    expect(body.error).toBe('confidential is invalid');
  });

  it('is for administrators', async () => {
    const { api: own } = await makeActor(app);
    await own.post('/applications', VALID).expect(403);
    await api(app.url).post('/applications', VALID).expect(401);
  });
});

describe('GET /applications', () => {
  it('lists the applications of the instance without secrets, the newest first', async () => {
    const { user } = await makeActor(app);
    const first = await makeApplication(app, { name: unique('first') });
    const second = await makeApplication(app, { name: unique('second') });
    await makeApplication(app, { ownerId: user.id });
    const answer = await admin.api.get('/applications?per_page=2').expect(200);
    expect((answer.body as { id: number }[]).map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(answer.headers['x-per-page']).toBe('2');
    expect(Object.keys(answer.body[0] as object)).toEqual([
      'id',
      'application_id',
      'application_name',
      'callback_url',
      'confidential',
      'scopes',
    ]);
  });
});

describe('POST /applications/:id/renew-secret', () => {
  it('ends the old secret at once', async () => {
    const application = await makeApplication(app);
    const grant = (secret: string) => {
      const client = { client_id: application.uid, client_secret: secret };
      return postToken(app, { grant_type: 'client_credentials', scope: 'api', ...client });
    };
    await grant(application.secret).expect(200);
    const path = `/applications/${application.id}/renew-secret`;
    const { body } = await admin.api.post(path).expect(200);
    expect(body).toMatchObject({ id: application.id, application_id: application.uid });
    expect(body.secret).toMatch(/^svcoas-/);
    const refused = await grant(application.secret).expect(401);
    expect(refused.body.error).toBe('invalid_client');
    await grant(body.secret as string).expect(200);
  });

  it('answers 404 for applications of people and for unknown ones', async () => {
    const { user } = await makeActor(app);
    const { id } = await makeApplication(app, { ownerId: user.id });
    for (const unknown of [id, 99_999_999]) {
      const path = `/applications/${unknown}/renew-secret`;
      const { body } = await admin.api.post(path).expect(404);
      expect(body).toEqual({ message: '404 Application Not Found' });
    }
  });
});

describe('DELETE /applications/:id', () => {
  it('deletes the application with its codes and tokens', async () => {
    const { user } = await makeActor(app);
    const application = await makeApplication(app);
    await makeGrant(app, { application, user });
    const applicationId = application.id;
    const token = await makeToken(app, user, { kind: 'oauth', applicationId, scopes: ['api'] });
    const bearer = () => api(app.url).get('/user').set('Authorization', `Bearer ${token}`);
    await bearer().expect(200);
    await admin.api.delete(`/applications/${applicationId}`).expect(204);
    const { manager } = app.dataSource;
    expect(await manager.countBy(OAuthAccessGrant, { applicationId })).toBe(0);
    expect(await manager.countBy(AccessToken, { applicationId })).toBe(0);
    await admin.api.delete(`/applications/${applicationId}`).expect(404);
    const audited = { action: 'oauth_application_deleted', targetId: applicationId };
    expect(await manager.countBy(AuditEvent, audited)).toBe(1);
  });

  it('takes the row id, not the client_id', async () => {
    const { uid } = await makeApplication(app);
    await admin.api.delete(`/applications/${uid}`).expect(400);
  });
});
