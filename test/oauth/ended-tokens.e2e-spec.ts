import { beforeAll, describe, expect, it } from '@jest/globals';
import { OAuthAccessGrantsRepository } from '../../src/oauth/oauth-access-grants.repository.js';
import { OAuthTokensRepository } from '../../src/oauth/oauth-tokens.repository.js';
import { Clock } from '../../src/core/clock.js';
import { OAuthJanitor } from '../../src/oauth/worker/oauth-janitor.service.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeUser, tokenRow, type MadeUser } from '../support/factories.js';
import {
  makeApplication,
  makeGrant,
  makeOAuthTokens,
  type MadeApplication,
} from '../support/oauth-factories.js';

const DAY_MS = 86_400_000;

let app: TestApp;
let user: MadeUser;
let client: MadeApplication;
let janitor: OAuthJanitor;
beforeAll(async () => {
  app = await sharedTestApp();
  user = await makeUser(app);
  client = await makeApplication(app);
  janitor = new OAuthJanitor(
    app.app.get(OAuthTokensRepository),
    app.app.get(OAuthAccessGrantsRepository),
    new Clock(),
  );
});

const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);

async function makeRow(column: string, value: Date): Promise<number> {
  const tokens = await makeOAuthTokens(app, { application: client, user });
  const { id } = await tokenRow(app, tokens.access_token);
  await app.dataSource.query(`UPDATE access_tokens SET ${column} = $2 WHERE id = $1`, [id, value]);
  return id;
}

const isThere = async (table: string, id: number): Promise<boolean> => {
  const rows = await app.dataSource.query<object[]>(`SELECT 1 FROM ${table} WHERE id = $1`, [id]);
  return rows.length > 0;
};

describe('OAuth tokens that have ended', () => {
  it.each([
    ['revoked_at', 31, false],
    ['revoked_at', 29, true],
    ['refresh_expires_at', 31, false],
    ['refresh_expires_at', 29, true],
    ['expires_at', 60, true],
  ] as const)('with %s of %i days ago are still there: %j', async (column, days, stays) => {
    const id = await makeRow(column, ago(days));
    await janitor.run();
    expect(await isThere('access_tokens', id)).toBe(stays);
  });
});

describe('codes that have ended', () => {
  it('go a month later, unless there are tokens that come from them', async () => {
    const expiresAt = ago(31);
    await makeGrant(app, { application: client, user, expiresAt });
    const tokens = await makeOAuthTokens(app, { application: client, user });
    const { grantId } = await tokenRow(app, tokens.access_token);
    await app.dataSource.query('UPDATE oauth_access_grants SET expires_at = $1', [expiresAt]);
    await janitor.run();
    const left = await app.dataSource.query<{ id: number }[]>('SELECT id FROM oauth_access_grants');
    expect(left.map(({ id }) => id)).toContain(grantId);
    const tokenless = await app.dataSource.query<object[]>(
      `SELECT 1 FROM oauth_access_grants g
       WHERE NOT EXISTS (SELECT FROM access_tokens t WHERE t.grant_id = g.id)`,
    );
    expect(tokenless).toEqual([]);
  });
});
