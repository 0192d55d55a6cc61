import { beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { AccessToken } from '../../src/identity/tokens/access-token.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import { DAY_MS } from '../support/days.js';
import {
  makeActor,
  makeAdmin,
  makeToken,
  makeTokenRow,
  tokenRow,
  unique,
  type MadeActor,
} from '../support/factories.js';

const UNAUTHORIZED = { message: '401 Unauthorized' };
const NOT_FOUND = { message: '404 Not found' };
let app: TestApp;
let admin: MadeActor;
beforeAll(async () => {
  app = await sharedTestApp();
  admin = await makeAdmin(app);
});

describe('GET /personal_access_tokens/:id', () => {
  it('shows users their own and administrators any token', async () => {
    const { user, token, api: own } = await makeActor(app);
    const { id } = await tokenRow(app, token);
    const mine = await own.get(`/personal_access_tokens/${id}`).expect(200);
    const theirs = await admin.api.get(`/personal_access_tokens/${id}`).expect(200);
    expect(mine.body).toMatchObject({ id, user_id: user.id, scopes: ['api'], active: true });
    expect(theirs.body).toMatchObject({ id });
  });

  it('answers 401 for foreign, unknown and impersonation tokens alike', async () => {
    const { user, api: own } = await makeActor(app);
    const foreign = (await tokenRow(app, admin.token)).id;
    const { id: impersonation } = await makeTokenRow(app, user, { kind: 'impersonation' });
    for (const id of [foreign, impersonation, 99_999_999]) {
      const { body } = await own.get(`/personal_access_tokens/${id}`).expect(401);
      expect(body).toEqual(UNAUTHORIZED);
    }
  });

  it('answers administrators 404 for unknown tokens and for those of other kinds', async () => {
    const { id: oauth } = await makeTokenRow(app, admin.user, { kind: 'oauth' });
    for (const id of [oauth, 99_999_999]) {
      const { body } = await admin.api.get(`/personal_access_tokens/${id}`).expect(404);
      expect(body).toEqual(NOT_FOUND);
    }
    await admin.api.get('/personal_access_tokens/mine').expect(400);
  });
});

describe('DELETE /personal_access_tokens/:id', () => {
  it('revokes a token immediately and permanently', async () => {
    const { user, api: own } = await makeActor(app);
    const other = await makeToken(app, user, { name: unique('laptop') });
    const { id, name } = await tokenRow(app, other);
    await api(app.url, other).get('/user').expect(200);

    const { body } = await own.delete(`/personal_access_tokens/${id}`).expect(204);
    await api(app.url, other).get('/user').expect(401);

    expect(body).toEqual({});
    const { body: shown } = await own.get(`/personal_access_tokens/${id}`).expect(200);
    expect(shown).toMatchObject({ revoked: true, active: false });
    const audit = await app.dataSource.manager.findOneByOrFail(AuditEvent, {
      targetType: 'AccessToken',
      targetId: id,
    });
    expect(audit).toMatchObject({
      action: 'access_token_revoked',
      authorId: user.id,
      entityType: 'User',
      entityId: user.id,
      ipAddress: '127.0.0.1',
      details: { kind: 'personal', user_id: user.id, name },
    });
  });

  it('does nothing to a token that has ended', async () => {
    const { user, api: own } = await makeActor(app);
    const revokedAt = new Date('2020-01-01T00:00:00Z');
    const { id } = await makeTokenRow(app, user, { revokedAt });
    await own.delete(`/personal_access_tokens/${id}`).expect(204);
    const row = await app.dataSource.manager.findOneByOrFail(AccessToken, { id });
    expect(row.revokedAt).toEqual(revokedAt);
    expect(
      await app.dataSource.manager.countBy(AuditEvent, { targetType: 'AccessToken', targetId: id }),
    ).toBe(0);
  });

  it('answers 412 and leaves a token that changed since the time of the client', async () => {
    const { user, api: own } = await makeActor(app);
    const other = await makeToken(app, user);
    const { id } = await tokenRow(app, other);
    const { body } = await own
      .delete(`/personal_access_tokens/${id}`)
      .set('If-Unmodified-Since', 'Tue, 01 Jan 2019 00:00:00 GMT')
      .expect(412);
    expect(body).toEqual({ message: '412 Precondition Failed' });
    await api(app.url, other).get('/user').expect(200);
    await own
      .delete(`/personal_access_tokens/${id}`)
      .set('If-Unmodified-Since', new Date(Date.now() + DAY_MS).toUTCString())
      .expect(204);
  });

  it('is not touched by the use of the token', async () => {
    const { user, token, api: own } = await makeActor(app);
    const long = new Date('2020-01-01T00:00:00Z');
    await app.dataSource.manager.update(AccessToken, { userId: user.id }, { updatedAt: long });
    await own.get('/user').expect(200);
    const { id, updatedAt } = await tokenRow(app, token);
    expect(updatedAt).toEqual(long);
    await own
      .delete(`/personal_access_tokens/${id}`)
      .set('If-Unmodified-Since', long.toUTCString())
      .expect(204);
  });

  it("answers 401 for others' tokens and administrators 404 for unknown ones", async () => {
    const { api: own } = await makeActor(app);
    const { id } = await tokenRow(app, admin.token);
    await own.delete(`/personal_access_tokens/${id}`).expect(401);
    await admin.api.delete('/personal_access_tokens/99999999').expect(404);
  });

  it('lets administrators end any token', async () => {
    const { user, token, api: own } = await makeActor(app);
    const { id } = await tokenRow(app, token);
    const { id: impersonation } = await makeTokenRow(app, user, { kind: 'impersonation' });
    await admin.api.delete(`/personal_access_tokens/${id}`).expect(204);
    await admin.api.delete(`/personal_access_tokens/${impersonation}`).expect(204);
    await own.get('/user').expect(401);
  });

  it('needs the scope api', async () => {
    const { user } = await makeActor(app);
    const reader = await makeToken(app, user, { scopes: ['read_api'] });
    const { id } = await tokenRow(app, reader);
    await api(app.url, reader).delete(`/personal_access_tokens/${id}`).expect(403);
  });
});
