import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import { IsNull } from 'typeorm';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { AccessToken } from '../../src/identity/tokens/access-token.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { api } from '../support/api-client.js';
import { makeToken, makeUser, tokenRow } from '../support/factories.js';

interface NewToken {
  id: number;
  token: string;
}

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

const rotateSelf = (raw: string, body: object = {}): Test =>
  api(app.url, raw).post('/personal_access_tokens/self/rotate', body);

/** Living tokens of the user. */
function countAlive(userId: number): Promise<number> {
  return app.dataSource.manager.countBy(AccessToken, { userId, revokedAt: IsNull() });
}

describe('a revoked token that is presented for rotation', () => {
  /** A chain of three tokens of which only the last is alive. */
  async function makeChain(): Promise<{ userId: number; first: string; last: string }> {
    const user = await makeUser(app);
    const first = await makeToken(app, user);
    const second = (await rotateSelf(first).expect(200)).body as NewToken;
    const third = (await rotateSelf(second.token).expect(200)).body as NewToken;
    await api(app.url, third.token).get('/user').expect(200);
    return { userId: user.id, first, last: third.token };
  }

  it('is refused as revoked and ends every living token of its family', async () => {
    const { userId, first, last } = await makeChain();
    const bystander = await makeToken(app, { id: userId });

    const { body } = await rotateSelf(first).expect(401);
    const after = await api(app.url, last).get('/user').expect(401);

    const revoked = {
      error: 'invalid_token',
      error_description: 'Token was revoked. You have to re-authorize from the user.',
    };
    expect([body, after.body]).toEqual([revoked, revoked]);
    await api(app.url, bystander).get('/user').expect(200);
  });

  it('leaves one entry in the trail of its user, however often it comes', async () => {
    const { userId, first, last } = await makeChain();
    const { id } = await tokenRow(app, first);
    await rotateSelf(first).expect(401);
    await rotateSelf(first).expect(401);
    const entries = await app.dataSource.manager.findBy(AuditEvent, {
      action: 'access_token_reused',
      targetId: id,
    });
    expect(entries).toEqual([
      expect.objectContaining({
        authorId: null,
        entityType: 'User',
        entityId: userId,
        ipAddress: '127.0.0.1',
        details: expect.objectContaining({ revoked_ids: [(await tokenRow(app, last)).id] }),
      }),
    ]);
  });

  it.each([
    ['/personal_access_tokens/1/rotate'],
    ['/projects/1/access_tokens/self/rotate'],
    ['/groups/1/access_tokens/7/rotate'],
  ])('does so on %s as well', async (path) => {
    const { userId, first } = await makeChain();
    await api(app.url, first).post(path).expect(401);
    expect(await countAlive(userId)).toBe(0);
  });

  it('ends nothing on other paths', async () => {
    const { userId, first } = await makeChain();
    await api(app.url, first).get('/user').expect(401);
    await api(app.url, first).get('/personal_access_tokens/self').expect(401);
    await api(app.url, first).post('/projects', { name: 'rotate' }).expect(401);
    expect(await countAlive(userId)).toBe(1);
  });
});
