import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Scope } from '../../src/core/access/scopes.js';
import { createBareRepository } from '../../src/git/git-repository.js';
import { writeFirstCommit } from '../../src/git/git-commit.js';
import type { RepositoryKind } from '../../src/git/repository-path.js';
import { StorageRegistry } from '../../src/git/storage-registry.js';
import { Group } from '../../src/workspace/groups/group.entity.js';
import { Member } from '../../src/identity/members/member.entity.js';
import { type Role, ROLES } from '../../src/identity/members/roles.js';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { Snippet } from '../../src/workspace/snippets/snippet.entity.js';
import { Namespace } from '../../src/identity/users/namespace.entity.js';
import type { TestApp } from '../support/app.js';
import { makeToken, makeUser, type MadeUser, unique } from '../support/factories.js';

const STORAGE = 'default';

export interface MadeProject {
  id: number;
  /** `owner/path` as in clone URLs. */
  fullPath: string;
  owner: MadeUser;
  /** The repository on disk. */
  directory: string;
}

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  bytes: Buffer;
}

/** A project of a new owner, with one commit on `main` unless `empty`. */
export async function makeProject(
  app: TestApp,
  { empty = false, ...attributes }: Partial<Project> & { empty?: boolean } = {},
): Promise<MadeProject> {
  const owner = await makeUser(app);
  const path = unique('project');
  const inserted = await app.dataSource.manager.insert(Project, {
    namespaceId: owner.namespaceId,
    name: path,
    path,
    repositoryStorage: STORAGE,
    creatorId: owner.id,
    emptyRepo: empty,
    defaultBranch: empty ? null : 'main',
    ...attributes,
  });
  const id = (inserted.identifiers[0] as { id: number }).id;
  const directory = await makeRepository(app, { kind: 'project', containerId: id, empty });
  return { id, fullPath: `${owner.username}/${attributes.path ?? path}`, owner, directory };
}

/** A snippet with one file and its repository. */
export async function makeSnippet(
  app: TestApp,
  attributes: Partial<Snippet> & { authorId: number },
): Promise<{ id: number; directory: string }> {
  const inserted = await app.dataSource.manager.insert(Snippet, {
    title: unique('snippet'),
    repositoryStorage: STORAGE,
    hasRepository: true,
    filePaths: ['README.md'],
    ...attributes,
  });
  const id = (inserted.identifiers[0] as { id: number }).id;
  return { id, directory: await makeRepository(app, { kind: 'snippet', containerId: id }) };
}

/** A top-level group whose wiki has no repository yet. */
export async function makeGroup(
  app: TestApp,
  attributes: Partial<Group> = {},
): Promise<{ id: number; fullPath: string }> {
  const path = unique('group');
  const names = { name: path, path, fullPath: path, fullName: path };
  const { manager } = app.dataSource;
  const inserted = await manager.insert(Namespace, { kind: 'group', ...names });
  const id = (inserted.identifiers[0] as { id: number }).id;
  await manager.update(Namespace, { id }, { traversalIds: [id] });
  await manager.insert(Group, { id, repositoryStorage: STORAGE, ...attributes });
  return { id, fullPath: path };
}

/** Makes the repository of a container on its storage; answers its folder. */
export async function makeRepository(
  app: TestApp,
  repository: { kind: RepositoryKind; containerId: number; empty?: boolean },
): Promise<string> {
  const storages = app.app.get(StorageRegistry, { strict: false });
  const { root: storageRoot } = storages.get(STORAGE);
  const path = storages.absolutePath({ storage: STORAGE, ...repository });
  const fill = async (temporary: string): Promise<void> => {
    await writeFirstCommit(temporary, {
      branch: 'main',
      message: 'Start',
      author: { name: 'Ada', email: 'ada@example.com', date: new Date() },
      changes: [{ path: 'README.md', content: '# Hello\n' }],
    });
  };
  const first = repository.empty === true ? {} : { fill };
  await createBareRepository({ storageRoot, path, defaultBranch: 'main', ...first });
  return path;
}

/** A new user with this role in the project, and a token. */
export async function makeMember(
  app: TestApp,
  project: { id: number },
  role: Role,
): Promise<{ user: MadeUser; token: string }> {
  const user = await makeUser(app);
  const accessLevel = ROLES[role];
  await app.dataSource.manager.insert(Member, {
    projectId: project.id,
    userId: user.id,
    accessLevel,
  });
  return { user, token: await makeToken(app, user) };
}

/** A new user without any membership; the token has the scopes. */
export async function makeStranger(app: TestApp, ...scopes: Scope[]): Promise<string> {
  const user = await makeUser(app);
  return makeToken(app, user, scopes.length === 0 ? {} : { scopes });
}

/** The URL to clone from, with the token as password. */
export function cloneUrl(app: TestApp, path: string, token?: string): string {
  const url = new URL(`${app.url}/${path}.git`);
  if (token !== undefined) Object.assign(url, { username: 'oauth2', password: token });
  return url.href;
}

export function basic(token: string, user = 'oauth2'): string {
  return `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`;
}

interface RawRequest {
  method?: string;
  token?: string;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

/** One request, without any help of a Git client. */
export async function raw(
  app: TestApp,
  path: string,
  options: RawRequest = {},
): Promise<RawAnswer> {
  const { method = 'GET', token, headers = {}, body } = options;
  const authorization = token === undefined ? {} : { Authorization: basic(token) };
  const sent = request(`${app.url}${path}`, {
    method,
    agent: false,
    headers: { ...authorization, ...headers },
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const bytes = await buffer(response);
  const { statusCode: status = 0, headers: answered } = response;
  return { status, headers: answered, body: bytes.toString('latin1'), bytes };
}

/** Returns the recorded pushes of a container, oldest first. */
export function recordedUpdates(
  app: TestApp,
  containerId: number,
  kind: RepositoryKind = 'project',
): Promise<Record<string, unknown>[]> {
  return app.dataSource.query(
    `SELECT ref, old_oid, new_oid, user_id FROM ref_updates
     WHERE container_id = $1 AND repository_kind = $2 ORDER BY id`,
    [containerId, kind],
  );
}

/** Returns the number of active writes, as a move sees them. */
export async function openWrites(app: TestApp): Promise<number> {
  const [row] = await app.dataSource.query<{ n: number }[]>(
    'SELECT count(*)::int AS n FROM inflight_writes',
  );
  return row?.n ?? -1;
}
