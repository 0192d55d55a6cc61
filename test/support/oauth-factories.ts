import { randomBytes } from 'node:crypto';
import request, { type Test } from 'supertest';
import { credentialDigest, generateCredential } from '../../src/core/secrets.js';
import { OAuthAccessGrant } from '../../src/oauth/oauth-access-grants.repository.js';
import { challengeOf } from '../../src/oauth/grants/grant.js';
import { OAuthApplication } from '../../src/oauth/oauth-applications.repository.js';
import type { TestApp } from './app.js';
import { unique } from './factories.js';

type Database = Pick<TestApp, 'dataSource'>;

export interface MadeApplication {
  id: number;
  /** The client_id. */
  uid: string;
  /** The client_secret. */
  secret: string;
  redirectUri: string;
}

/** Response of POST /oauth/token. */
export interface TokenBody {
  access_token: string;
  token_type: string;
  expires_in: number;
  refresh_token: string;
  scope: string;
  created_at: number;
  refresh_expires_in: number;
  id_token?: string;
}

/** Where the applications of tests want people to come back to. */
export const CALLBACK = 'https://client.example/callback';

/** 64 random hexadecimal digits, as codes and tokens are. */
export function randomHex(): string {
  return randomBytes(32).toString('hex');
}

/** A confidential application of the instance that may have scope `api`, unless told otherwise. */
export async function makeApplication(
  { dataSource }: Database,
  attributes: Partial<Omit<OAuthApplication, 'id' | 'uid' | 'secretDigest'>> = {},
): Promise<MadeApplication> {
  const uid = randomHex();
  const secret = generateCredential('svcoas-');
  const values = {
    name: unique('app'),
    redirectUris: [CALLBACK],
    scopes: ['api', 'read_user', 'read_repository', 'write_repository', 'openid', 'email'],
    ...attributes,
  };
  const inserted = await dataSource.manager.insert(OAuthApplication, {
    ...values,
    uid,
    secretDigest: credentialDigest(secret),
  });
  const { id } = inserted.identifiers[0] as { id: number };
  return { id, uid, secret, redirectUri: values.redirectUris[0] ?? CALLBACK };
}

/** The raw code of a new grant: what the person's approval would have brought. */
export async function makeGrant(
  { dataSource }: Database,
  { application, user, ...attributes }: GrantWish,
): Promise<string> {
  const code = randomHex();
  const now = new Date();
  await dataSource.manager.insert(OAuthAccessGrant, {
    redirectUri: application.redirectUri,
    scopes: ['api'],
    authTime: now,
    expiresAt: new Date(now.getTime() + 600_000),
    ...attributes,
    codeDigest: credentialDigest(code),
    applicationId: application.id,
    userId: user.id,
  });
  return code;
}

type GrantWish = Partial<Omit<OAuthAccessGrant, 'id' | 'codeDigest'>> & {
  application: Pick<MadeApplication, 'id' | 'redirectUri'>;
  user: { id: number };
};

/** POST /oauth/token with form fields. */
export function postToken({ url }: Pick<TestApp, 'url'>, fields: Record<string, string>): Test {
  return request(url).post('/oauth/token').type('form').send(fields);
}

/** client_id and client_secret as form fields. */
export function clientFields({ uid, secret }: Pick<MadeApplication, 'uid' | 'secret'>) {
  return { client_id: uid, client_secret: secret };
}

/** Code verifier of the tests' clients. */
export const VERIFIER = 'verifier-._~'.repeat(4);

/** Tokens of the user for the application, by a code with PKCE that is exchanged over HTTP. */
export async function makeOAuthTokens(
  app: Pick<TestApp, 'dataSource' | 'url'>,
  wish: GrantWish & { application: MadeApplication },
): Promise<TokenBody> {
  const code = await makeGrant(app, { codeChallenge: challengeOf(VERIFIER), ...wish });
  const { application } = wish;
  const { body } = await postToken(app, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: wish.redirectUri ?? application.redirectUri,
    code_verifier: VERIFIER,
    ...clientFields(application),
  }).expect(200);
  return body as TokenBody;
}

/** POST /oauth/token with a refresh token. */
export function postRefresh(
  app: Pick<TestApp, 'url'>,
  application: Pick<MadeApplication, 'uid' | 'secret'>,
  refreshToken: string,
): Test {
  return postToken(app, {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    ...clientFields(application),
  });
}
