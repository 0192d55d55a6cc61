import { beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { credentialDigest } from '../../src/core/secrets.js';
import { AccessToken } from '../../src/identity/tokens/access-token.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import { day } from '../support/days.js';
import { makeActor, makeAdmin, makeToken, makeUser, type MadeActor } from '../support/factories.js';
import { changeSettings } from '../support/settings.js';

let app: TestApp;
let admin: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  admin = await makeAdmin(app);
});

const pathOf = (user: { id: number }): string => `/users/${user.id}/personal_access_tokens`;

const LAPTOP = { name: 'laptop', scopes: ['api'] };

describe('POST /users/:user_id/personal_access_tokens', () => {
  it('creates a token that works at once', async () => {
    const user = await makeUser(app);
    const input = { ...LAPTOP, description: 'the grey one', expires_at: day(30) };

    const { body } = await admin.api.post(pathOf(user), input).expect(201);

    const { token } = body as { token: string };
    const row = await app.dataSource.manager.findOneByOrFail(AccessToken, { userId: user.id });
    expect(body).toEqual({
      id: row.id,
      name: 'laptop',
      revoked: false,
      created_at: row.createdAt.toISOString(),
      description: 'the grey one',
      scopes: ['api'],
      user_id: user.id,
      last_used_at: null,
      last_used_ips: [],
      active: true,
      expires_at: day(30),
      token: expect.stringMatching(/^svcpat-[0-9a-v]{32}$/),
    });
    expect(row).toMatchObject({ digest: credentialDigest(token), lastFour: token.slice(-4) });
    const me = await api(app.url, token).get('/user').expect(200);
    expect(me.body).toMatchObject({ id: user.id });
  });

  it('leaves a trail without the value', async () => {
    const user = await makeUser(app);
    const { body } = await admin.api.post(pathOf(user), LAPTOP).expect(201);
    const { id, token } = body as { id: number; token: string };
    const audit = await app.dataSource.manager.findOneByOrFail(AuditEvent, {
      targetType: 'AccessToken',
      targetId: id,
    });
    expect(audit).toMatchObject({
      action: 'access_token_created',
      authorId: admin.user.id,
      entityType: 'User',
      entityId: user.id,
      details: {
        kind: 'personal',
        user_id: user.id,
        name: 'laptop',
        scopes: ['api'],
        expires_at: day(365),
      },
    });
    expect(JSON.stringify(audit)).not.toContain(token);
  });

  it('takes the scopes as a list or separated by commas, each once', async () => {
    const user = await makeUser(app);
    const text = { name: 'a', scopes: 'read_user, api,api' };
    const { body } = await admin.api.post(pathOf(user), text).expect(201);
    const form = await admin.api
      .post(pathOf(user))
      .type('form')
      .send('name=b&scopes[]=read_api&scopes[]=read_repository')
      .expect(201);
    expect([body, form.body]).toEqual([
      expect.objectContaining({ scopes: ['read_user', 'api'] }),
      expect.objectContaining({ scopes: ['read_api', 'read_repository'] }),
    ]);
  });

  it('gives a token a year by default', async () => {
    const user = await makeUser(app);
    const absent = await admin.api.post(pathOf(user), LAPTOP).expect(201);
    const empty = await admin.api.post(pathOf(user), { ...LAPTOP, expires_at: null }).expect(201);
    expect([absent.body, empty.body]).toEqual([
      expect.objectContaining({ expires_at: day(365) }),
      expect.objectContaining({ expires_at: day(365) }),
    ]);
  });

  it.each([
    ['lives too long', { expires_at: day(500) }, `Expires at must be before ${day(365)}`],
    ['has ended already', { expires_at: day(0) }, 'Expires at must be in the future'],
    ['may do nothing', { scopes: [] }, "Scopes can't be blank"],
    [
      'may do what its user may not',
      { scopes: ['sudo'] },
      'Scopes can only contain available scopes',
    ],
  ])('answers 422 for one that %s', async (_case, change, message) => {
    const user = await makeUser(app);
    const { body } = await admin.api.post(pathOf(user), { ...LAPTOP, ...change }).expect(422);
    expect(body).toEqual({ message });
    expect(await app.dataSource.manager.countBy(AccessToken, { userId: user.id })).toBe(0);
  });

  it.each([
    [{ scopes: ['api'] }, 'name is missing'],
    [{ name: ' ', scopes: ['api'] }, 'name is empty'],
    [{ name: 'x'.repeat(256), scopes: ['api'] }, 'name is too long'],
    [{ name: 'x' }, 'scopes is missing'],
    [{ name: 'x', scopes: ['everything'] }, 'scopes does not have a valid value'],
    [{ name: 'x', scopes: ['openid'] }, 'scopes does not have a valid value'],
    [{ name: 'x', scopes: ['api'], expires_at: '2030-02-30' }, 'expires_at is invalid'],
    [{ ...LAPTOP, description: 'x'.repeat(256) }, 'description is too long'],
  ])('answers 400 for %j', async (input, error) => {
    const user = await makeUser(app);
    const { body } = await admin.api.post(pathOf(user), input).expect(400);
    expect(body).toMatchObject({ error });
  });

  it('gives administrators their scopes', async () => {
    const other = await makeUser(app, { admin: true });
    const input = { name: 'root', scopes: ['sudo', 'admin_mode'] };
    await admin.api.post(pathOf(other), input).expect(201);
  });

  it('answers 404 for unknown users and for those who are no people', async () => {
    const bot = await makeUser(app, { userType: 'project_bot' });
    for (const id of [bot.id, 99_999_999]) {
      const { body } = await admin.api.post(pathOf({ id }), LAPTOP).expect(404);
      expect(body).toEqual({ message: '404 User Not Found' });
    }
  });

  it('is for administrators', async () => {
    const { user, api: own } = await makeActor(app);
    await own.post(pathOf(user), LAPTOP).expect(403);
    await api(app.url).post(pathOf(user), LAPTOP).expect(401);
  });
});

describe('POST /user/personal_access_tokens', () => {
  const ROTATOR = { name: 'rotator', scopes: ['self_rotate'] };

  it('creates a token that can do no more than rotate itself', async () => {
    const { user, api: own } = await makeActor(app);
    const { body } = await own.post('/user/personal_access_tokens', ROTATOR).expect(201);
    expect(body).toEqual({
      id: expect.any(Number),
      name: 'rotator',
      revoked: false,
      created_at: expect.any(String),
      description: null,
      scopes: ['self_rotate'],
      user_id: user.id,
      last_used_at: null,
      last_used_ips: [],
      active: true,
      expires_at: day(365),
      token: expect.stringMatching(/^svcpat-/),
    });
    const { token } = body as { token: string };
    await api(app.url, token).get('/user').expect(403);
    await api(app.url, token).post('/personal_access_tokens/self/rotate').expect(200);
  });

  it('refuses every other scope, also to administrators', async () => {
    const input = { name: 'mine', scopes: ['api'] };
    const { body } = await admin.api.post('/user/personal_access_tokens', input).expect(400);
    expect(body).toMatchObject({ error: 'scopes does not have a valid value' });
  });

  it('answers 422 for one that lives too long', async () => {
    const { api: own } = await makeActor(app);
    const input = { ...ROTATOR, expires_at: day(366) };
    const { body } = await own.post('/user/personal_access_tokens', input).expect(422);
    expect(body).toEqual({ message: `Expires at must be before ${day(365)}` });
  });

  it('is refused to bots, to tokens that only read, and without a token', async () => {
    const bot = await makeActor(app, { userType: 'project_bot' });
    const reader = await makeToken(app, await makeUser(app), { scopes: ['read_api'] });
    await bot.api.post('/user/personal_access_tokens', ROTATOR).expect(403);
    await api(app.url, reader).post('/user/personal_access_tokens', ROTATOR).expect(403);
    await api(app.url).post('/user/personal_access_tokens', ROTATOR).expect(401);
  });
});

describe('the settings of token expiry', () => {
  it('shorten the life of tokens', async () => {
    const user = await makeUser(app);
    await changeSettings(app, { max_personal_access_token_lifetime: 30 });
    const late = await admin.api.post(pathOf(user), { ...LAPTOP, expires_at: day(31) });
    const last = await admin.api.post(pathOf(user), { ...LAPTOP, expires_at: day(30) });
    const absent = await admin.api.post(pathOf(user), LAPTOP);
    await changeSettings(app, { max_personal_access_token_lifetime: 365 });
    expect([late.body, last.body, absent.body]).toEqual([
      { message: `Expires at must be before ${day(30)}` },
      expect.objectContaining({ expires_at: day(30) }),
      expect.objectContaining({ expires_at: day(30) }),
    ]);
  });

  it('allow tokens that never expire or live for centuries', async () => {
    const user = await makeUser(app);
    await changeSettings(app, { require_personal_access_token_expiry: false });
    const never = await admin.api.post(pathOf(user), LAPTOP);
    const late = await admin.api.post(pathOf(user), { ...LAPTOP, expires_at: '2999-12-31' });
    await changeSettings(app, { require_personal_access_token_expiry: true });
    expect([never.body, late.body]).toEqual([
      expect.objectContaining({ expires_at: null, active: true }),
      expect.objectContaining({ expires_at: '2999-12-31' }),
    ]);
  });
});
