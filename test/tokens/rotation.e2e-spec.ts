import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import { IsNull } from 'typeorm';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { AccessToken } from '../../src/identity/tokens/access-token.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import { day, yesterday } from '../support/days.js';
import {
  makeActor,
  makeAdmin,
  makeToken,
  makeTokenRow,
  makeUser,
  tokenRow,
  type MadeActor,
} from '../support/factories.js';
import { changeSettings } from '../support/settings.js';

interface NewToken {
  id: number;
  token: string;
}

let app: TestApp;
let admin: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  admin = await makeAdmin(app);
});

const rotateSelf = (raw: string, body: object = {}): Test =>
  api(app.url, raw).post('/personal_access_tokens/self/rotate', body);

/** Living tokens of the user. */
function countAlive(userId: number): Promise<number> {
  return app.dataSource.manager.countBy(AccessToken, { userId, revokedAt: IsNull() });
}

describe('POST /personal_access_tokens/:id/rotate', () => {
  it('answers a new token with the same rights and ends the old one at once', async () => {
    const { user, api: own } = await makeActor(app);
    const old = await makeToken(app, user, {
      scopes: ['read_user', 'self_rotate'],
      description: 'of the laptop',
    });
    const before = await tokenRow(app, old);
    await api(app.url, old).get('/user').expect(200);

    const { body } = await own.post(`/personal_access_tokens/${before.id}/rotate`).expect(200);
    await api(app.url, old).get('/user').expect(401);

    const { id, token } = body as NewToken;
    const after = await tokenRow(app, token);
    expect(body).toEqual({
      id: expect.any(Number),
      name: before.name,
      revoked: false,
      created_at: after.createdAt.toISOString(),
      description: 'of the laptop',
      scopes: ['read_user', 'self_rotate'],
      user_id: user.id,
      last_used_at: null,
      last_used_ips: [],
      active: true,
      expires_at: day(7),
      token: expect.stringMatching(/^svcpat-[0-9a-v]{32}$/),
    });
    expect(after).toMatchObject({ id, familyId: before.id, previousId: before.id });
    await api(app.url, token).get('/user').expect(200);
  });

  it('leaves a trail without secrets', async () => {
    const { user, token, api: own } = await makeActor(app);
    const { id: previous, name } = await tokenRow(app, token);
    const { body } = await own.post(`/personal_access_tokens/${previous}/rotate`).expect(200);
    const audit = await app.dataSource.manager.findOneByOrFail(AuditEvent, {
      action: 'access_token_rotated',
      targetId: (body as NewToken).id,
    });
    expect(audit).toMatchObject({
      authorId: user.id,
      targetType: 'AccessToken',
      entityType: 'User',
      entityId: user.id,
      details: {
        kind: 'personal',
        user_id: user.id,
        name,
        scopes: ['api'],
        expires_at: day(7),
        previous_id: previous,
      },
    });
    expect(JSON.stringify(audit)).not.toContain((body as NewToken).token);
  });

  it('takes the day on which the new token ends, within the bounds', async () => {
    const { user, api: own } = await makeActor(app);
    const { id } = await makeTokenRow(app, user);
    const path = `/personal_access_tokens/${id}/rotate`;
    const late = await own.post(path, { expires_at: day(400) }).expect(400);
    const past = await own.post(path, { expires_at: day(0) }).expect(400);
    const bad = await own.post(path, { expires_at: 'soon' }).expect(400);
    const good = await own.post(path, { expires_at: day(365) }).expect(200);
    expect([late.body, past.body, bad.body, good.body]).toEqual([
      { message: `400 Bad request - Expires at must be before ${day(365)}` },
      { message: '400 Bad request - Expires at must be in the future' },
      expect.objectContaining({ error: 'expires_at is invalid' }),
      expect.objectContaining({ expires_at: day(365) }),
    ]);
  });

  it('answers 400 for a token that was revoked or has expired', async () => {
    const { user, api: own } = await makeActor(app);
    const past = yesterday();
    const revoked = await makeTokenRow(app, user, { revokedAt: past });
    const expired = await makeTokenRow(app, user, { expiresAt: past });
    const first = await own.post(`/personal_access_tokens/${revoked.id}/rotate`).expect(400);
    const second = await own.post(`/personal_access_tokens/${expired.id}/rotate`).expect(400);
    expect([first.body, second.body]).toEqual([
      { message: '400 Bad request - Token already revoked' },
      { message: '400 Bad request - Token already expired' },
    ]);
  });

  it('answers 401 for foreign and unknown tokens, 404 to administrators', async () => {
    const { api: own } = await makeActor(app);
    const { id } = await tokenRow(app, admin.token);
    await own.post(`/personal_access_tokens/${id}/rotate`).expect(401);
    await own.post('/personal_access_tokens/99999999/rotate').expect(401);
    await admin.api.post('/personal_access_tokens/99999999/rotate').expect(404);
    await admin.api.get('/user').expect(200);
  });

  it('lets administrators rotate any token; an impersonation token stays one', async () => {
    const user = await makeUser(app);
    const old = await makeToken(app, user, { kind: 'impersonation' });
    const { id } = await tokenRow(app, old);
    const { body } = await admin.api.post(`/personal_access_tokens/${id}/rotate`).expect(200);
    expect(body).toMatchObject({ user_id: user.id, impersonation: true });
  });

  it('needs the scope api', async () => {
    const { user } = await makeActor(app);
    const weak = await makeToken(app, user, { scopes: ['self_rotate', 'read_api'] });
    const { id } = await tokenRow(app, weak);
    await api(app.url, weak).post(`/personal_access_tokens/${id}/rotate`).expect(403);
  });
});

describe('POST /personal_access_tokens/self/rotate', () => {
  it.each([['api' as const], ['self_rotate' as const]])('works with scope %s', async (scope) => {
    const old = await makeToken(app, await makeUser(app), { scopes: [scope] });
    const { body } = await rotateSelf(old, { expires_at: day(30) }).expect(200);
    const { id } = await tokenRow(app, old);
    expect(body).toMatchObject({ scopes: [scope], expires_at: day(30), active: true });
    expect(await tokenRow(app, (body as NewToken).token)).toMatchObject({
      previousId: id,
      familyId: id,
    });
  });

  it('stays in the family of the first token', async () => {
    const first = await makeToken(app, await makeUser(app));
    const { id: firstId } = await tokenRow(app, first);
    const second = (await rotateSelf(first).expect(200)).body as NewToken;
    const third = (await rotateSelf(second.token).expect(200)).body as NewToken;
    expect(await tokenRow(app, third.token)).toMatchObject({
      familyId: firstId,
      previousId: second.id,
    });
  });

  it('answers 403 to other scopes, 401 without a token and 405 to an OAuth token', async () => {
    const user = await makeUser(app);
    const weak = await makeToken(app, user, { scopes: ['read_api', 'read_user'] });
    const oauth = await makeToken(app, user, { kind: 'oauth' });
    const refused = await rotateSelf(weak).expect(403);
    await api(app.url).post('/personal_access_tokens/self/rotate').expect(401);
    const { body } = await api(app.url)
      .post('/personal_access_tokens/self/rotate')
      .set('Authorization', `Bearer ${oauth}`)
      .expect(405);
    expect([refused.body, body]).toEqual([
      expect.objectContaining({ error: 'insufficient_scope', scope: 'self_rotate api read_api' }),
      { message: '405 Method Not Allowed' },
    ]);
  });
});

describe('where tokens need not expire', () => {
  beforeAll(() => changeSettings(app, { require_personal_access_token_expiry: false }));
  afterAll(() => changeSettings(app, { require_personal_access_token_expiry: true }));

  it('rotation makes one that never does, or one that lives as long as was asked for', async () => {
    const first = await makeToken(app, await makeUser(app));
    const second = await rotateSelf(first).expect(200);
    const third = await rotateSelf((second.body as NewToken).token, { expires_at: '2999-01-01' });
    expect([second.body, third.body]).toEqual([
      expect.objectContaining({ expires_at: null }),
      expect.objectContaining({ expires_at: '2999-01-01' }),
    ]);
  });
});

describe('where tokens live shorter than a week', () => {
  beforeAll(() => changeSettings(app, { max_personal_access_token_lifetime: 3 }));
  afterAll(() => changeSettings(app, { max_personal_access_token_lifetime: 365 }));

  it('those made by rotation do, too', async () => {
    const { body } = await rotateSelf(await makeToken(app, await makeUser(app))).expect(200);
    expect(body).toMatchObject({ expires_at: day(3) });
  });
});

describe('32 rotations of one token at once', () => {
  it.each<[string, (raw: string, id: number) => Promise<{ status: number }>]>([
    ['by itself', (raw) => rotateSelf(raw)],
    ['by an administrator', (_raw, id) => admin.api.post(`/personal_access_tokens/${id}/rotate`)],
  ])('have one success and never leave two tokens alive: %s', async (_who, rotate) => {
    const user = await makeUser(app);
    const raw = await makeToken(app, user);
    const { id } = await tokenRow(app, raw);

    const answers = await Promise.all(Array.from({ length: 32 }, () => rotate(raw, id)));

    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.every((status) => [200, 400, 401].includes(status))).toBe(true);
    expect(await countAlive(user.id)).toBeLessThanOrEqual(1);
    const rows = await app.dataSource.manager.countBy(AccessToken, { userId: user.id });
    expect(rows).toBe(2);
  });
});
