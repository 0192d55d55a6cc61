import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';
import { credentialDigest, generateCredential } from '../../../src/core/secrets.js';
import { Group } from '../../../src/workspace/groups/group.entity.js';
import { Member } from '../../../src/identity/members/member.entity.js';
import { Project } from '../../../src/workspace/projects/project.entity.js';
import { AccessToken } from '../../../src/identity/tokens/access-token.entity.js';
import { Namespace } from '../../../src/identity/users/namespace.entity.js';
import { User, type UserState } from '../../../src/identity/users/user.entity.js';
import { day } from '../../support/days.js';
import { unique } from '../../support/factories.js';
import type { Dice } from './dice.js';
import { FEATURES, type Membership, type Person, type Space, type WorldProject } from './world.js';

const LEVELS = [5, 10, 10, 15, 20, 30, 40, 50];

/** IDs of new rows, in their order. */
export async function insertAll<Row extends ObjectLiteral>(
  dataSource: DataSource,
  entity: EntityTarget<Row>,
  rows: object[],
): Promise<number[]> {
  if (rows.length === 0) return [];
  const inserted = await dataSource.manager.insert(entity, rows);
  return inserted.identifiers.map((identifier) => (identifier as { id: number }).id);
}

interface Cast {
  people: Person[];
  spaces: Space[];
}

/** Traits in turn, so that every world has each of them. */
const TRAITS: Partial<Omit<Person, 'id' | 'username' | 'token'>>[] = [
  {},
  {},
  {},
  {},
  { isExternal: true },
  { isExternal: true },
  { isAdmin: true },
  { hasPrivateProfile: true },
  { isBot: true, isConfirmed: false },
  { state: 'blocked' },
  { state: 'banned' },
  { state: 'deactivated' },
  { isConfirmed: false },
];

/** People of all kinds with their namespaces, and groups within groups. */
export async function makeCast(dataSource: DataSource, dice: Dice): Promise<Cast> {
  const drafts = TRAITS.map((trait) => ({
    username: unique('person.'),
    isAdmin: false,
    isExternal: false,
    isBot: false,
    isConfirmed: true,
    hasPrivateProfile: false,
    state: 'active' as UserState,
    ...trait,
  }));
  const ids = await insertAll(dataSource, User, drafts.map(userRow));
  const people = await withTokens(
    dataSource,
    drafts.map((draft, index) => ({ ...draft, id: ids[index] ?? 0 })),
  );
  const owners = people.filter(({ isBot }) => !isBot);
  const own = await insertAll(dataSource, Namespace, owners.map(namespaceRow));
  const spaces = owners.map(({ id: ownerId }, index) => {
    const id = own[index] ?? 0;
    return { id, path: [id], ownerId };
  });
  for (const space of spaces) {
    await dataSource.manager.update(Namespace, { id: space.id }, { traversalIds: space.path });
  }
  return { people, spaces: [...spaces, ...(await makeGroups(dataSource, dice))] };
}

function userRow(person: Omit<Person, 'id' | 'token'>): Partial<User> {
  const { username, isAdmin, isExternal, isBot, isConfirmed, hasPrivateProfile, state } = person;
  return {
    username,
    name: `Name of ${username}`,
    email: `${username}@example.com`,
    admin: isAdmin,
    external: isExternal,
    userType: isBot ? 'project_bot' : 'human',
    confirmedAt: isConfirmed ? new Date() : null,
    privateProfile: hasPrivateProfile,
    state,
  };
}

function namespaceRow({ id, username: path }: Person): Partial<Namespace> {
  return { kind: 'user', ownerId: id, name: path, path, fullPath: path, fullName: path };
}

async function withTokens(
  dataSource: DataSource,
  people: Omit<Person, 'token'>[],
): Promise<Person[]> {
  const made = people.map((person) => {
    const isAsker = person.state === 'active' && person.isConfirmed && !person.isBot;
    return { ...person, token: isAsker ? generateCredential('svcpat-') : null };
  });
  const tokens = made.flatMap(({ id: userId, token }) => {
    if (token === null) return [];
    const lastFour = token.slice(-4);
    const digest = credentialDigest(token);
    return [{ kind: 'personal', name: 'asks', digest, lastFour, userId, scopes: ['read_api'] }];
  });
  await insertAll(dataSource, AccessToken, tokens);
  return made;
}

/** Two trees of up to four groups. */
async function makeGroups(dataSource: DataSource, dice: Dice): Promise<Space[]> {
  const spaces: (Space & { fullPath: string })[] = [];
  for (let index = 0; index < 6; index += 1) {
    const parent = index < 2 ? null : dice.pick(spaces);
    const path = unique('group');
    const fullPath = parent === null ? path : `${parent.fullPath}/${path}`;
    const row = { kind: 'group', parentId: parent?.id ?? null, name: path, path, fullPath };
    const [id = 0] = await insertAll(dataSource, Namespace, [{ ...row, fullName: fullPath }]);
    const space = { id, path: [...(parent?.path ?? []), id], ownerId: null, fullPath };
    await dataSource.manager.update(Namespace, { id }, { traversalIds: space.path });
    const visibility = dice.pick([0, 10, 20]);
    await dataSource.manager.insert(Group, { id, repositoryStorage: 'default', visibility });
    spaces.push(space);
  }
  return spaces.map(({ id, path, ownerId }) => ({ id, path, ownerId }));
}

/** Projects of all visibilities, some with features switched off. */
export async function makeProjects(
  dataSource: DataSource,
  dice: Dice,
  spaces: readonly Space[],
): Promise<WorldProject[]> {
  const projects = dice.times(7, () => ({
    spaceId: dice.pick(dice.chance(0.8) ? spaces.slice(-6) : spaces).id,
    visibility: dice.pick([0, 0, 10, 20, 20]),
    features: Object.fromEntries(
      FEATURES.map((feature) => [feature, dice.chance(0.85)]),
    ) as WorldProject['features'],
    isBeingDeleted: dice.chance(0.06),
  }));
  const ids = await insertAll(
    dataSource,
    Project,
    projects.map((project) => {
      const path = unique('project');
      return { ...projectRow(project), name: path, path, repositoryStorage: 'default' };
    }),
  );
  return projects.map((project, index) => ({ ...project, id: ids[index] ?? 0 }));
}

/** Returns the attributes of a project that can change. */
export function projectRow(project: Omit<WorldProject, 'id'>): Partial<Project> {
  const { spaceId: namespaceId, visibility, features, isBeingDeleted } = project;
  return {
    namespaceId,
    visibility,
    issuesEnabled: features.issues,
    mergeRequestsEnabled: features.mergeRequests,
    wikiEnabled: features.wiki,
    snippetsEnabled: features.snippets,
    repositoryEnabled: features.repository,
    pendingDelete: isBeingDeleted,
  };
}

/** About one membership for each person and two places, some of them over. */
export async function makeMemberships(
  dataSource: DataSource,
  dice: Dice,
  { people, spaces, projects }: Cast & { projects: readonly WorldProject[] },
): Promise<Membership[]> {
  const groups = spaces.filter(({ ownerId }) => ownerId === null);
  const drafts = people.flatMap(({ id: userId }) => {
    const chosen = { level: () => dice.pick(LEVELS), isOver: () => dice.chance(0.15) };
    const make = (place: { spaceId: number | null; projectId: number | null }) => ({
      userId,
      ...place,
      level: chosen.level(),
      isOver: chosen.isOver(),
    });
    return [
      ...dice.some(groups, 0.18).map(({ id }) => make({ spaceId: id, projectId: null })),
      ...dice.some(projects, 0.2).map(({ id }) => make({ spaceId: null, projectId: id })),
    ];
  });
  const ids = await insertAll(
    dataSource,
    Member,
    drafts.map((draft) => memberRow(draft, dice)),
  );
  return drafts.map((draft, index) => ({ ...draft, id: ids[index] ?? 0 }));
}

/**
 * Returns a membership row: an expired one ended today or long ago, another one can end tomorrow.
 */
export function memberRow(membership: Omit<Membership, 'id'>, dice: Dice): Partial<Member> {
  const { userId, spaceId: namespaceId, projectId, level, isOver } = membership;
  const end = isOver ? dice.pick([0, -1, -400]) : dice.pick([null, null, 1]);
  const expiresAt = end === null ? null : day(end);
  return { userId, namespaceId, projectId, accessLevel: level as Member['accessLevel'], expiresAt };
}
