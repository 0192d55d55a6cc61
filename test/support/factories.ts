import { randomBytes } from 'node:crypto';
import type { Scope } from '../../src/core/access/scopes.js';
import { PERSONAL_TOKEN_SCOPES } from '../../src/core/access/scopes.js';
import { credentialDigest, generateCredential } from '../../src/core/secrets.js';
import { AccessToken } from '../../src/identity/tokens/access-token.entity.js';
import { Namespace } from '../../src/identity/users/namespace.entity.js';
import { User } from '../../src/identity/users/user.entity.js';
import { api, type ApiClient } from './api-client.js';
import type { TestApp } from './app.js';

type Database = Pick<TestApp, 'dataSource'>;

export interface MadeUser {
  id: number;
  username: string;
  name: string;
  email: string;
  /** The namespace that bears the user's name. */
  namespaceId: number;
}

/** A user with a token and a client that presents it. */
export interface MadeActor {
  user: MadeUser;
  token: string;
  api: ApiClient;
}

/** Six characters that no other row of the test has. */
export function unique(prefix: string): string {
  return `${prefix}${randomBytes(4).toString('hex')}`;
}

/** A confirmed, active person unless `attributes` say otherwise; without a password. */
export async function makeUser(
  { dataSource }: Database,
  attributes: Partial<User> = {},
): Promise<MadeUser> {
  const username = attributes.username ?? unique('user');
  const { name = `Name of ${username}`, email = `${username}@example.com` } = attributes;
  const values = { confirmedAt: new Date(), ...attributes, username, name, email };
  const inserted = await dataSource.manager.insert(User, values);
  const id = (inserted.identifiers[0] as { id: number }).id;
  const namespaceId = await makeUserNamespace({ dataSource }, { id, username, name });
  return { id, username, name, email, namespaceId };
}

async function makeUserNamespace(
  { dataSource }: Database,
  { id: ownerId, username, name }: Pick<User, 'id' | 'username' | 'name'>,
): Promise<number> {
  const inserted = await dataSource.manager.insert(Namespace, {
    kind: 'user',
    ownerId,
    name,
    path: username,
    fullPath: username,
    fullName: name,
  });
  const id = (inserted.identifiers[0] as { id: number }).id;
  await dataSource.manager.update(Namespace, { id }, { traversalIds: [id] });
  return id;
}

/** The raw value of a new personal token with the scopes (default: `api`). */
export async function makeToken(
  { dataSource }: Database,
  user: { id: number },
  { scopes = ['api'], ...attributes }: Partial<AccessToken> & { scopes?: Scope[] } = {},
): Promise<string> {
  const raw = generateCredential('svcpat-');
  await dataSource.manager.insert(AccessToken, {
    kind: 'personal',
    name: unique('token'),
    ...attributes,
    digest: credentialDigest(raw),
    lastFour: raw.slice(-4),
    userId: user.id,
    scopes,
  });
  return raw;
}

/** Returns the stored row of a token by its raw value. */
export function tokenRow({ dataSource }: Database, raw: string): Promise<AccessToken> {
  return dataSource.manager.findOneByOrFail(AccessToken, { digest: credentialDigest(raw) });
}

/** A new token of which only the row matters. */
export async function makeTokenRow(
  app: Database,
  user: { id: number },
  attributes: Omit<Partial<AccessToken>, 'scopes'> = {},
): Promise<AccessToken> {
  return tokenRow(app, await makeToken(app, user, attributes));
}

/** A user, a token with scope `api` and a client. */
export async function makeActor(
  app: Pick<TestApp, 'dataSource' | 'url'>,
  attributes: Partial<User> = {},
): Promise<MadeActor> {
  const user = await makeUser(app, attributes);
  const token = await makeToken(app, user);
  return { user, token, api: api(app.url, token) };
}

/** An administrator, a token with every scope and a client. */
export async function makeAdmin(
  app: Pick<TestApp, 'dataSource' | 'url'>,
  attributes: Partial<User> = {},
): Promise<MadeActor> {
  const user = await makeUser(app, { admin: true, ...attributes });
  const token = await makeToken(app, user, { scopes: [...PERSONAL_TOKEN_SCOPES] });
  return { user, token, api: api(app.url, token) };
}
