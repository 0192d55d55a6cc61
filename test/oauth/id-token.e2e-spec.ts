import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import request from 'supertest';
import { IdTokens, type IdTokenRequest } from '../../src/oauth/openid/id-tokens.service.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeToken, makeUser } from '../support/factories.js';
import { makeGroup, makeMember } from '../support/project-factories.js';

let app: TestApp;
beforeAll(async () => {
  app = await sharedTestApp();
});

function sign(user: { id: number }, wish: Partial<IdTokenRequest> = {}): Promise<string | null> {
  const basics = { clientId: 'client', scopes: ['openid'], nonce: null, authTime: null };
  return app.app.get(IdTokens).sign({ ...basics, ...wish, userId: user.id });
}

async function verified(token: string | null) {
  const { body } = await request(app.url).get('/oauth/discovery/keys').expect(200);
  const keys = createLocalJWKSet(body as JSONWebKeySet);
  return jwtVerify(token ?? '', keys, { issuer: app.url, audience: 'client' });
}

describe('an id_token', () => {
  it('contains subject, audience, sign-in time and expiry', async () => {
    const user = await makeUser(app);
    const group = await makeGroup(app);
    await makeGroup(app, { parentId: group.id });
    await makeMember(app, { group, user, role: 'reporter' });
    const authTime = new Date(Date.now() - 60_000);
    const wish = { nonce: 'n-0S6', authTime, scopes: ['openid', 'email'] };
    const { payload, protectedHeader } = await verified(await sign(user, wish));
    const { iat = 0 } = payload;
    expect(payload).toEqual({
      iss: app.url,
      sub: String(user.id),
      aud: 'client',
      exp: iat + 120,
      iat,
      nonce: 'n-0S6',
      auth_time: Math.floor(authTime.getTime() / 1_000),
      sub_legacy: expect.stringMatching(/^[0-9a-f]{64}$/),
      email: user.email,
      email_verified: true,
      groups_direct: [group.fullPath],
    });
    expect(Math.abs(Date.now() / 1_000 - iat)).toBeLessThan(10);
    expect(protectedHeader).toEqual({ typ: 'JWT', alg: 'RS256', kid: expect.any(String) });
  });

  it('leaves out what is not known', async () => {
    const { payload } = await verified(await sign(await makeUser(app)));
    expect(Object.keys(payload).sort()).toEqual([
      ...['aud', 'exp', 'groups_direct', 'iat', 'iss', 'sub', 'sub_legacy'],
    ]);
  });

  it('does not call an address verified that the user has not confirmed', async () => {
    const user = await makeUser(app, { confirmedAt: null });
    const { payload } = await verified(await sign(user, { scopes: ['openid', 'email'] }));
    expect(payload['email_verified']).toBe(false);
  });

  it('names the user by the same subject as the userinfo endpoint', async () => {
    const user = await makeUser(app);
    const token = await makeToken(app, user, { kind: 'oauth', scopes: ['openid'] });
    const { payload } = await verified(await sign(user));
    const { body } = await request(app.url)
      .get('/oauth/userinfo')
      .set('Authorization', `Bearer ${token}`)
      .expect(200);
    expect([body.sub, body.sub_legacy]).toEqual([payload.sub, payload['sub_legacy']]);
  });

  it('is none for a user who is gone', async () => {
    expect(await sign({ id: 2_000_000_000 })).toBeNull();
  });

  it('cannot be changed', async () => {
    const token = (await sign(await makeUser(app))) ?? '';
    const [header = '', , signature = ''] = token.split('.');
    const forged = Buffer.from(JSON.stringify({ iss: app.url, aud: 'client', sub: '1' }));
    const changed = [header, forged.toString('base64url'), signature].join('.');
    await expect(verified(changed)).rejects.toThrow('signature verification failed');
    const { alg } = decodeProtectedHeader(token);
    expect(alg).toBe('RS256');
  });
});
