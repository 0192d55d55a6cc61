import { MAX_KEYS } from '../../src/error-tracking/client-keys/client-keys.service.js';
import { IssueCounter } from '../../src/workspace/issues/issue.entity.js';
import { Issue } from '../../src/workspace/issues/issue.entity.js';
import { VISIBILITY, type VisibilityName } from '../../src/identity/members/visibility.js';
import type { Role } from '../../src/identity/members/roles.js';
import { MergeRequest } from '../../src/code/merge-requests/merge-request.entity.js';
import type { TestApp } from '../support/app.js';
import { makeAlert } from '../support/alert-factories.js';
import { makeError, makeErrorEvent } from '../support/error-factories.js';
import { makeAdmin, makeToken, makeUser, type MadeUser } from '../support/factories.js';
import { signedIn, type PageClient } from '../support/page-client.js';
import { tipOf } from '../support/merge-request-factories.js';
import {
  makeGroup,
  makeMember,
  makeProject,
  type MadeProject,
} from '../support/project-factories.js';
import { makeSnippet } from '../support/snippet-factories.js';
import { makeTracking } from '../support/tracking-factories.js';

export const VISIBILITIES: readonly VisibilityName[] = ['private', 'internal', 'public'];

const MEMBERS = ['guest', 'reporter', 'developer', 'maintainer', 'owner'] as const;

export const ACTORS = [
  'anonymous',
  'stranger',
  ...MEMBERS,
  'admin',
  'external',
  'blocked',
  'deactivated',
  'bot',
] as const;
export type ActorName = (typeof ACTORS)[number];
type UserName = Exclude<ActorName, 'anonymous'>;

export const CREDENTIALS = [
  'personal',
  'parameter',
  'bearer',
  'oauth',
  'impersonation',
  'project',
  'group',
  'sudo',
  'job',
  'basic',
  'expired',
  'revoked',
  'session',
  'cookie',
] as const;
export type CredentialName = (typeof CREDENTIALS)[number];

/** A group with a project and a snippet, all of one visibility, and who is a member. */
export interface Place {
  groupId: number;
  projectId: number;
  /** Full path of the project. */
  projectPath: string;
  /** A project that requests may archive. */
  spareId: number;
  snippetId: number;
  /** Number of the project's issue. */
  issueIid: number;
  /** Number of the project's merge request, whose source branch is gone. */
  mergeRequestIid: number;
  /** Number of the project's alert. */
  alertIid: number;
  /** An error of the project with an event. */
  errorId: number;
  users: Record<UserName, MadeUser>;
}

export interface World {
  places: Record<VisibilityName, Place>;
  users: Record<UserName, MadeUser>;
  /** Headers (and query) by which an actor presents a credential. */
  present(actor: UserName, credential: CredentialName): Presented;
  /** The raw value of a token of the actor. */
  token(actor: UserName, kind: TokenName): string;
}

export interface Presented {
  headers: Record<string, string>;
  query?: string;
}

type TokenName = Exclude<
  CredentialName,
  'parameter' | 'bearer' | 'sudo' | 'basic' | 'session' | 'cookie'
>;

type Tokens = Record<TokenName, string>;

/** Credentials of an actor. */
interface Credentials {
  tokens: Tokens;
  session: PageClient;
}

/** Everyone and everything that the matrices ask about. */
export async function makeWorld(app: TestApp): Promise<World> {
  const users = await makeUsers(app);
  const entries = await Promise.all(
    VISIBILITIES.map(async (name) => [name, await makePlace(app, name, users)] as const),
  );
  const places = Object.fromEntries(entries) as Record<VisibilityName, Place>;
  const { token: sudoToken } = await makeAdmin(app);
  const credentials = new Map<UserName, Credentials>();
  for (const name of Object.keys(users) as UserName[]) {
    const tokens = await makeTokens(app, users[name], places.public);
    credentials.set(name, { tokens, session: await signedIn(app, users[name]) });
  }
  const of = (actor: UserName): Credentials => credentials.get(actor) as Credentials;
  const present = (actor: UserName, credential: CredentialName): Presented =>
    presented(of(actor), credential, { sudoToken, user: users[actor] });
  const token = (actor: UserName, kind: TokenName): string => of(actor).tokens[kind];
  return { places, users, present, token };
}

async function makeUsers(app: TestApp): Promise<Record<UserName, MadeUser>> {
  const users: Partial<Record<UserName, MadeUser>> = {};
  for (const name of ['stranger', ...MEMBERS] as const) users[name] = await makeUser(app);
  users.admin = await makeUser(app, { admin: true });
  users.external = await makeUser(app, { external: true });
  users.blocked = await makeUser(app, { state: 'blocked' });
  users.deactivated = await makeUser(app, { state: 'deactivated' });
  users.bot = await makeUser(app, { userType: 'project_bot' });
  return users as Record<UserName, MadeUser>;
}

async function makePlace(
  app: TestApp,
  visibility: VisibilityName,
  users: Record<UserName, MadeUser>,
): Promise<Place> {
  const closed = { visibility, requestAccessEnabled: false };
  const group = await makeGroup(app, closed);
  const files = { 'README.md': '# Place' };
  const project = await makeProject(app, { namespaceId: group.id, ...closed, files });
  const spare = await makeProject(app, { namespaceId: group.id, visibility });
  const roles: [UserName, Role][] = [
    ...MEMBERS.map((name): [UserName, Role] => [name, name]),
    ['blocked', 'developer'],
    ['deactivated', 'developer'],
    ['bot', 'developer'],
  ];
  for (const [name, role] of roles) await makeMember(app, { group, user: users[name], role });
  await makeMember(app, { project, user: users.developer, role: 'developer' });
  const snippet = await makeSnippet(app, {
    authorId: users.owner.id,
    visibility: VISIBILITY[visibility],
    projectId: project.id,
    files: { 'notes.txt': 'notes' },
  });
  const issue = { projectId: project.id, iid: 1, authorId: users.owner.id, title: 'Issue' };
  await app.dataSource.manager.insert(Issue, issue);
  await app.dataSource.manager.insert(IssueCounter, { projectId: project.id, lastIid: issue.iid });
  const alert = await makeAlert(app, project);
  await makeTracking(app, project, { keys: MAX_KEYS });
  return {
    groupId: group.id,
    projectId: project.id,
    projectPath: project.fullPath,
    spareId: spare.id,
    snippetId: snippet.id,
    issueIid: issue.iid,
    mergeRequestIid: await makeMergeRequest(app, project, users.owner),
    alertIid: alert.iid,
    errorId: await makeErrorWithEvent(app, project),
    users,
  };
}

async function makeErrorWithEvent(app: TestApp, project: MadeProject): Promise<number> {
  const error = await makeError(app, project);
  await makeErrorEvent(app, error);
  return error.id;
}

async function makeMergeRequest(
  app: TestApp,
  project: MadeProject,
  { id: authorId }: MadeUser,
): Promise<number> {
  const sha = (await tipOf(app, project, 'main')) ?? '';
  const branches = { sourceBranch: 'gone', targetBranch: 'main', headSha: sha, baseSha: sha };
  const row = { projectId: project.id, iid: 1, authorId, title: 'Merge request', ...branches };
  await app.dataSource.manager.insert(MergeRequest, row);
  return row.iid;
}

async function makeTokens(
  app: TestApp,
  user: MadeUser,
  { projectId, groupId }: Place,
): Promise<Tokens> {
  const past = new Date(Date.now() - 86_400_000);
  return {
    personal: await makeToken(app, user),
    oauth: await makeToken(app, user, { kind: 'oauth' }),
    impersonation: await makeToken(app, user, { kind: 'impersonation' }),
    project: await makeToken(app, user, { kind: 'project', projectId }),
    group: await makeToken(app, user, { kind: 'group', groupId }),
    job: await makeToken(app, user, { kind: 'job', projectId }),
    expired: await makeToken(app, user, { expiresAt: past }),
    revoked: await makeToken(app, user, { revokedAt: past }),
  };
}

function presented(
  { tokens, session }: Credentials,
  credential: CredentialName,
  { sudoToken, user }: { sudoToken: string; user: MadeUser },
): Presented {
  const cookie = { Cookie: `_svc_session=${session.cookie}` };
  const basic = Buffer.from(`oauth2:${tokens.personal}`).toString('base64');
  switch (credential) {
    case 'parameter':
      return { headers: {}, query: `private_token=${tokens.personal}` };
    case 'bearer':
      return { headers: { Authorization: `Bearer ${tokens.personal}` } };
    case 'oauth':
      return { headers: { Authorization: `Bearer ${tokens.oauth}` } };
    case 'basic':
      return { headers: { Authorization: `Basic ${basic}` } };
    case 'session':
      return { headers: { ...cookie, 'X-CSRF-Token': session.csrfToken } };
    case 'cookie':
      return { headers: cookie };
    case 'sudo':
      return { headers: { 'PRIVATE-TOKEN': sudoToken, Sudo: String(user.id) } };
    default:
      return { headers: { 'PRIVATE-TOKEN': tokens[credential] } };
  }
}
