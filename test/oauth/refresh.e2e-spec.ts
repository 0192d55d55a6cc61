import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { credentialDigest } from '../../src/core/secrets.js';
import { OAuthAccessGrant } from '../../src/oauth/oauth-access-grants.repository.js';
import { AccessToken } from '../../src/identity/tokens/access-token.entity.js';
import { OAuthApplication } from '../../src/oauth/oauth-applications.repository.js';
import { api } from '../support/api-client.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeUser, tokenRow, type MadeUser } from '../support/factories.js';
import {
  clientFields,
  makeApplication,
  makeGrant,
  makeOAuthTokens,
  postRefresh,
  postToken,
  randomHex,
  VERIFIER,
  type MadeApplication,
  type TokenBody,
} from '../support/oauth-factories.js';
import { changeSettings } from '../support/settings.js';

const DAY_MS = 86_400_000;

let app: TestApp;
let user: MadeUser;
let client: MadeApplication;
beforeAll(async () => {
  app = await sharedTestApp();
  user = await makeUser(app);
  client = await makeApplication(app);
});

const tokensOf = ({ body }: Response): TokenBody => body as TokenBody;

const refresh = (tokens: TokenBody, fields: Record<string, string> = {}, application = client) =>
  postToken(app, {
    grant_type: 'refresh_token',
    refresh_token: tokens.refresh_token,
    ...clientFields(application),
    ...fields,
  });

const asBearer = ({ access_token: token }: TokenBody) =>
  api(app.url).get('/user').auth(token, { type: 'bearer' });

async function change({ access_token: token }: TokenBody, attributes: Partial<AccessToken>) {
  await app.dataSource.manager.update(AccessToken, { digest: credentialDigest(token) }, attributes);
}

const trailOf = (userId: number) =>
  app.dataSource.query<{ action: string; target_id: number; details: object }[]>(
    `SELECT action, target_id, details FROM audit_events
     WHERE entity_type = 'User' AND entity_id = $1`,
    [userId],
  );

describe('POST /oauth/token with a refresh token', () => {
  it('answers with a new pair and ends the old one at once', async () => {
    const old = await makeOAuthTokens(app, { application: client, user });
    await asBearer(old).expect(200);
    const { status, body } = await refresh(old);
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      token_type: 'bearer',
      expires_in: 7200,
      refresh_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      scope: 'api',
      created_at: expect.any(Number),
      refresh_expires_in: 90 * 86_400,
    });
    const tokens = body as TokenBody;
    expect(tokens.access_token).not.toBe(old.access_token);
    expect(tokens.refresh_token).not.toBe(old.refresh_token);
    await asBearer(tokens).expect(200);
    const refused = await asBearer(old).expect(401);
    expect(refused.body).toEqual({
      error: 'invalid_token',
      error_description: 'Token was revoked. You have to re-authorize from the user.',
    });
  });

  it('goes on when the access token has expired', async () => {
    const old = await makeOAuthTokens(app, { application: client, user });
    await change(old, { expiresAt: new Date(Date.now() - 1_000) });
    await refresh(old).expect(200);
  });

  it('serves public clients without a secret', async () => {
    const application = await makeApplication(app, { confidential: false });
    const old = await makeOAuthTokens(app, { application, user });
    const fields = { client_id: application.uid, code_verifier: VERIFIER };
    const body = { grant_type: 'refresh_token', refresh_token: old.refresh_token, ...fields };
    await postToken(app, body).expect(200);
  });

  it('accepts the code_verifier of the authorization or none, but no other', async () => {
    const first = await makeOAuthTokens(app, { application: client, user });
    const malformed = await refresh(first, { code_verifier: 'short' }).expect(400);
    expect(malformed.body).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringContaining('The code_verifier must be 43 to 128 characters'),
    });
    const other = await refresh(first, { code_verifier: 'v'.repeat(43) }).expect(400);
    expect(other.body).toMatchObject({
      error: 'invalid_grant',
      error_detail: 'the code_verifier does not match',
    });
    const second = tokensOf(await refresh(first, { code_verifier: VERIFIER }).expect(200));
    const third = tokensOf(await refresh(second).expect(200));
    await refresh(third, { code_verifier: VERIFIER }).expect(200);
  });

  it('ignores a code_verifier if the authorization had no challenge', async () => {
    const code = await makeGrant(app, { application: client, user });
    const fields = { code, redirect_uri: client.redirectUri, ...clientFields(client) };
    const exchange = { grant_type: 'authorization_code', ...fields };
    const tokens = tokensOf(await postToken(app, exchange).expect(200));
    await refresh(tokens, { code_verifier: 'v'.repeat(43) }).expect(200);
  });

  it('never grants more scopes than the application currently has', async () => {
    const application = await makeApplication(app, { scopes: ['api', 'read_user'] });
    const scopes = ['api', 'read_user'];
    const wide = await makeOAuthTokens(app, { application, user, scopes });
    const { manager } = app.dataSource;
    await manager.update(OAuthApplication, { id: application.id }, { scopes: ['read_user'] });
    const narrow = tokensOf(await refresh(wide, {}, application).expect(200));
    expect(narrow.scope).toBe('read_user');
    await manager.update(OAuthApplication, { id: application.id }, { scopes: ['email'] });
    const { body } = await refresh(narrow, {}, application).expect(400);
    expect(body).toMatchObject({ error: 'invalid_grant' });
  });

  it('takes the redirect_uri of the authorization, or none, but no other', async () => {
    const first = await makeOAuthTokens(app, { application: client, user });
    const other = await refresh(first, { redirect_uri: 'https://client.example/other' }).expect(
      400,
    );
    expect(other.body).toMatchObject({ error: 'invalid_grant' });
    const second = tokensOf(await refresh(first, { redirect_uri: client.redirectUri }).expect(200));
    const third = tokensOf(await refresh(second).expect(200));
    await refresh(third, { redirect_uri: client.redirectUri }).expect(200);
  });

  it('narrows the scope permanently and never widens it', async () => {
    const scopes = ['api', 'read_user'];
    const wide = await makeOAuthTokens(app, { application: client, user, scopes });
    const { body } = await refresh(wide, { scope: 'read_user read_repository' }).expect(400);
    expect(body).toEqual({
      error: 'invalid_scope',
      error_description:
        'The requested scope is invalid, unknown, or malformed: read_repository (not granted to this token).',
    });
    const narrow = tokensOf(await refresh(wide, { scope: 'read_user' }).expect(200));
    expect(narrow.scope).toBe('read_user');
    await refresh(narrow, { scope: 'api' }).expect(400);
    expect(tokensOf(await refresh(narrow).expect(200)).scope).toBe('read_user');
  });

  it('answers 400 without a refresh token and for an unknown one', async () => {
    const missing = await refresh({ refresh_token: '' } as TokenBody).expect(400);
    expect(missing.body).toEqual({
      error: 'invalid_request',
      error_description: 'Missing required parameter: refresh_token.',
    });
    const unknown = await refresh({ refresh_token: randomHex() } as TokenBody).expect(400);
    expect(unknown.body).toMatchObject({ error: 'invalid_grant' });
  });

  it('does not take an access token for a refresh token', async () => {
    const { access_token: token } = await makeOAuthTokens(app, { application: client, user });
    await refresh({ refresh_token: token } as TokenBody).expect(400);
  });

  it('answers 401 for a wrong secret and for no client at all', async () => {
    const tokens = await makeOAuthTokens(app, { application: client, user });
    const wrong = await refresh(tokens, { client_secret: 'wrong' }).expect(401);
    expect(wrong.body).toMatchObject({ error: 'invalid_client' });
    const none = await refresh(tokens, { client_id: '', client_secret: '' }).expect(401);
    expect(none.body).toMatchObject({ error: 'invalid_client' });
    await refresh(tokens).expect(200);
  });

  it('refuses the refresh token of another client, which goes on working', async () => {
    const tokens = await makeOAuthTokens(app, { application: client, user });
    const { body } = await refresh(tokens, {}, await makeApplication(app)).expect(400);
    expect(body).toMatchObject({ error: 'invalid_grant' });
    await refresh(tokens).expect(200);
  });

  it.each(['blocked', 'deactivated', 'banned', 'pending'] as const)(
    'refuses a user who is %s',
    async (state) => {
      const other = await makeUser(app);
      const tokens = await makeOAuthTokens(app, { application: client, user: other });
      await app.dataSource.query('UPDATE users SET state = $2 WHERE id = $1', [other.id, state]);
      const { body } = await refresh(tokens).expect(400);
      expect(body).toMatchObject({ error: 'invalid_grant' });
    },
  );

  it('refuses who has lost the confirmation, where one is needed', async () => {
    const other = await makeUser(app);
    const tokens = await makeOAuthTokens(app, { application: client, user: other });
    await app.dataSource.query('UPDATE users SET confirmed_at = NULL WHERE id = $1', [other.id]);
    await refresh(tokens).expect(400);
    await changeSettings(app, { email_confirmation_setting: 'soft' });
    await refresh(tokens).expect(200);
    await changeSettings(app, { email_confirmation_setting: 'hard' });
  });

  it('refuses after the password was changed', async () => {
    const other = await makeUser(app);
    const tokens = await makeOAuthTokens(app, { application: client, user: other });
    const sql = `UPDATE users SET password_digest = 'another' WHERE id = $1`;
    await app.dataSource.query(sql, [other.id]);
    const { body } = await refresh(tokens).expect(400);
    expect(body).toMatchObject({ error: 'invalid_grant' });
    await eventually(() => asBearer(tokens).expect(401));
  });

  it('refuses after the application was deleted', async () => {
    const application = await makeApplication(app);
    const tokens = await makeOAuthTokens(app, { application, user });
    await app.dataSource.query('DELETE FROM oauth_applications WHERE id = $1', [application.id]);
    await eventually(() => asBearer(tokens).expect(401));
  });
});

describe('the life of refresh tokens', () => {
  it('expires after 90 days without use', async () => {
    const tokens = await makeOAuthTokens(app, { application: client, user });
    const { refreshExpiresAt } = await tokenRow(app, tokens.access_token);
    const days = (Number(refreshExpiresAt) - Date.now()) / DAY_MS;
    expect(days).toBeCloseTo(90, 1);
    await change(tokens, { refreshExpiresAt: new Date(Date.now() - 1) });
    const { body } = await refresh(tokens).expect(400);
    expect(body).toMatchObject({ error_detail: 'the refresh token is expired' });
  });

  it('ends a year after the authorization, however often it is used', async () => {
    const tokens = await makeOAuthTokens(app, { application: client, user });
    const chainEndsAt = new Date(Date.now() + DAY_MS);
    await change(tokens, { chainEndsAt });
    const next = tokensOf(await refresh(tokens).expect(200));
    expect(next.refresh_expires_in).toBeLessThanOrEqual(86_400);
    const row = await tokenRow(app, next.access_token);
    expect(row).toMatchObject({ chainEndsAt, refreshExpiresAt: chainEndsAt });
  });

  it('remembers the family and the code that it comes from', async () => {
    const first = await makeOAuthTokens(app, { application: client, user });
    const second = tokensOf(await refresh(first));
    const third = tokensOf(await refresh(second));
    const rows = [
      await tokenRow(app, first.access_token),
      await tokenRow(app, second.access_token),
      await tokenRow(app, third.access_token),
    ] as const;
    const { id: familyId, grantId } = rows[0];
    expect(rows[1]).toMatchObject({ familyId, grantId, previousId: rows[0].id });
    expect(rows[2]).toMatchObject({ familyId, grantId, previousId: rows[1].id });
    const grant = await app.dataSource.manager.findOneBy(OAuthAccessGrant, { id: Number(grantId) });
    expect(grant?.usedAt).toBeInstanceOf(Date);
  });
});

describe('an old refresh token that comes back', () => {
  it('is refused within the grace, and nothing else happens', async () => {
    const old = await makeOAuthTokens(app, { application: client, user });
    const next = tokensOf(await refresh(old).expect(200));
    const { body } = await refresh(old).expect(400);
    expect(body).toMatchObject({ error: 'invalid_grant' });
    await asBearer(next).expect(200);
    await refresh(next).expect(200);
  });

  it('counts as stolen after the grace: the family ends, and the trail tells it', async () => {
    const other = await makeUser(app);
    const old = await makeOAuthTokens(app, { application: client, user: other });
    const next = tokensOf(await refresh(old).expect(200));
    await change(old, { revokedAt: new Date(Date.now() - 31_000) });
    const { body } = await refresh(old).expect(400);
    expect(body).toMatchObject({ error: 'invalid_grant' });
    await asBearer(next).expect(401);
    await refresh(next).expect(400);
    const [row, nextRow] = [
      await tokenRow(app, old.access_token),
      await tokenRow(app, next.access_token),
    ];
    expect(await trailOf(other.id)).toEqual([
      {
        action: 'oauth_refresh_token_reused',
        target_id: row.id,
        details: { user_id: other.id, revoked_ids: [nextRow.id] },
      },
    ]);
  });

  it('fills no trail when it comes again and again', async () => {
    const other = await makeUser(app);
    const old = await makeOAuthTokens(app, { application: client, user: other });
    await refresh(old).expect(200);
    await change(old, { revokedAt: new Date(Date.now() - 60_000) });
    for (let times = 0; times < 3; times++) await refresh(old).expect(400);
    expect(await trailOf(other.id)).toHaveLength(1);
  });

  it('ends nothing when another client shows it', async () => {
    const old = await makeOAuthTokens(app, { application: client, user });
    const next = tokensOf(await refresh(old).expect(200));
    await change(old, { revokedAt: new Date(Date.now() - 60_000) });
    await refresh(old, {}, await makeApplication(app)).expect(400);
    await asBearer(next).expect(200);
  });

  it('has a grace that administrators choose', async () => {
    await changeSettings(app, { oauth_refresh_grace_seconds: 3_600 });
    const old = await makeOAuthTokens(app, { application: client, user });
    const next = tokensOf(await postRefresh(app, client, old.refresh_token).expect(200));
    await change(old, { revokedAt: new Date(Date.now() - 3_000_000) });
    await refresh(old).expect(400);
    await asBearer(next).expect(200);
    await changeSettings(app, { oauth_refresh_grace_seconds: 30 });
  });
});
