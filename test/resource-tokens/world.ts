import { ROLES, type Role } from '../../src/identity/members/roles.js';
import { AccessToken } from '../../src/identity/tokens/access-token.entity.js';
import { api, type ApiClient } from '../support/api-client.js';
import type { TestApp } from '../support/app.js';
import { makeActor, type MadeActor } from '../support/factories.js';
import { makeGroup, makeMember, makeProject } from '../support/project-factories.js';

export type Kind = 'project' | 'group';

/** A private project or group and who manages its tokens with the least role that suffices. */
export interface Home {
  kind: Kind;
  id: number;
  fullPath: string;
  /** `/projects/5/access_tokens` */
  path: string;
  manager: MadeActor;
}

export interface NewToken {
  id: number;
  user_id: number;
  token: string;
  [name: string]: unknown;
}

/** A new private project or group with its manager. */
export async function makeHome(app: TestApp, kind: Kind): Promise<Home> {
  const manager = await makeActor(app);
  const group = await makeGroup(app);
  const files = { 'README.md': '# Hello\n' };
  const home = kind === 'group' ? group : await makeProject(app, { namespaceId: group.id, files });
  const { id, fullPath } = home;
  await join(
    { kind, id },
    { app, actor: manager, role: kind === 'group' ? 'owner' : 'maintainer' },
  );
  return { kind, id, fullPath, path: `/${kind}s/${id}/access_tokens`, manager };
}

/** Makes the actor a direct member of the home. */
export async function join(
  home: Pick<Home, 'kind' | 'id'>,
  { app, actor, role }: { app: TestApp; actor: MadeActor; role: Role },
): Promise<void> {
  const source = home.kind === 'group' ? { group: home } : { project: home };
  await makeMember(app, { ...source, user: actor.user, role });
}

/** A new access token of the home, by its manager. */
export async function createToken(home: Home, attributes: object = {}): Promise<NewToken> {
  const body = { name: 'Robot', scopes: ['api'], ...attributes };
  const answer = await home.manager.api.post(home.path, body).expect(201);
  return answer.body as NewToken;
}

/** The token as lists show it: `toEqual` takes undefined for absent. */
export function withoutValue(created: NewToken): { id: number; token: undefined } {
  return { ...created, token: undefined };
}

/** A client that presents the token. */
export function as(app: TestApp, { token }: { token: string }): ApiClient {
  return api(app.url, token);
}

/** Ends the token by its day. */
export async function expire(app: TestApp, { id }: { id: number }): Promise<void> {
  await app.dataSource.manager.update(AccessToken, { id }, { expiresAt: new Date(0) });
}

/** The bot's role in the home, null without a membership. */
export async function roleOfBot(app: TestApp, home: Home, userId: number): Promise<string | null> {
  const column = home.kind === 'group' ? 'namespace_id' : 'project_id';
  const rows = await app.dataSource.query<{ level: number }[]>(
    `SELECT access_level AS level FROM members WHERE ${column} = $1 AND user_id = $2`,
    [home.id, userId],
  );
  const role = Object.entries(ROLES).find(([, level]) => level === rows[0]?.level);
  return role?.[0] ?? null;
}
