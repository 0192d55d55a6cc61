import { createBareRepository } from '../../src/git/git-repository.js';
import { writeFirstCommit } from '../../src/git/git-commit.js';
import { StorageRegistry } from '../../src/git/storage-registry.js';
import { Group } from '../../src/workspace/groups/group.entity.js';
import { Member } from '../../src/identity/members/member.entity.js';
import { ROLES, type Role } from '../../src/identity/members/roles.js';
import { VISIBILITY, type VisibilityName } from '../../src/identity/members/visibility.js';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { Namespace } from '../../src/identity/users/namespace.entity.js';
import type { TestApp } from './app.js';
import { makeActor, unique, type MadeActor } from './factories.js';

type Database = Pick<TestApp, 'dataSource'>;

export interface MadeGroup {
  id: number;
  name: string;
  path: string;
  fullPath: string;
}

export interface MadeProject {
  id: number;
  name: string;
  path: string;
  namespaceId: number;
  fullPath: string;
  storage: string;
}

interface GroupOptions extends Partial<Omit<Group, 'visibility'>> {
  name?: string;
  path?: string;
  parentId?: number;
  visibility?: VisibilityName;
}

/** A private top-level group without members unless the options say otherwise. */
export async function makeGroup(
  { dataSource }: Database,
  options: GroupOptions = {},
): Promise<MadeGroup> {
  const { path = unique('group'), parentId = null, visibility = 'private', ...rest } = options;
  const { name = `Name of ${path}`, ...attributes } = rest;
  const parent =
    parentId === null
      ? null
      : await dataSource.manager.findOneByOrFail(Namespace, { id: parentId });
  const fullPath = parent === null ? path : `${parent.fullPath}/${path}`;
  const inserted = await dataSource.manager.insert(Namespace, {
    kind: 'group',
    parentId,
    name,
    path,
    fullPath,
    fullName: parent === null ? name : `${parent.fullName} / ${name}`,
  });
  const { id } = inserted.identifiers[0] as { id: number };
  const traversalIds = [...(parent?.traversalIds ?? []), id];
  await dataSource.manager.update(Namespace, { id }, { traversalIds });
  await dataSource.manager.insert(Group, {
    repositoryStorage: 'default',
    ...attributes,
    id,
    visibility: VISIBILITY[visibility],
  });
  return { id, name, path, fullPath };
}

interface ProjectOptions extends Partial<Omit<Project, 'visibility' | 'namespaceId'>> {
  namespaceId: number;
  visibility?: VisibilityName;
  /** Files of a first commit on `main`; without them there is no repository on the disk. */
  files?: Record<string, string>;
}

/** A private project of the namespace unless the options say otherwise. */
export async function makeProject(
  app: Pick<TestApp, 'app' | 'dataSource'>,
  options: ProjectOptions,
): Promise<MadeProject> {
  const { path = unique('project'), visibility = 'private', files, ...rest } = options;
  const { name = `Name of ${path}`, repositoryStorage: storage = 'default', ...attributes } = rest;
  const inserted = await app.dataSource.manager.insert(Project, {
    defaultBranch: 'main',
    emptyRepo: files === undefined,
    ...attributes,
    name,
    path,
    repositoryStorage: storage,
    visibility: VISIBILITY[visibility],
  });
  const { id } = inserted.identifiers[0] as { id: number };
  if (files !== undefined) await makeRepository(app, { id, storage, files });
  const { namespaceId } = options;
  const namespace = await app.dataSource.manager.findOneByOrFail(Namespace, { id: namespaceId });
  return { id, name, path, namespaceId, fullPath: `${namespace.fullPath}/${path}`, storage };
}

async function makeRepository(
  { app }: Pick<TestApp, 'app'>,
  { id, storage, files }: { id: number; storage: string; files: Record<string, string> },
): Promise<void> {
  const storages = app.get(StorageRegistry);
  await createBareRepository({
    storageRoot: storages.get(storage).root,
    path: storages.absolutePath({ storage, kind: 'project', containerId: id }),
    defaultBranch: 'main',
    fill: async (temporary) => {
      await writeFirstCommit(temporary, {
        branch: 'main',
        message: 'Initial commit',
        author: { name: 'Test Author', email: 'author@example.com', date: new Date() },
        changes: Object.entries(files).map(([path, content]) => ({ path, content })),
      });
    },
  });
}

/** A direct membership: `makeMember(app, { group, user, role: 'maintainer' })`. */
export async function makeMember(
  { dataSource }: Database,
  member: {
    group?: { id: number };
    project?: { id: number };
    user: { id: number };
    role: Role;
    expiresAt?: string;
  },
): Promise<void> {
  await dataSource.manager.insert(Member, {
    namespaceId: member.group?.id ?? null,
    projectId: member.project?.id ?? null,
    userId: member.user.id,
    accessLevel: ROLES[member.role],
    expiresAt: member.expiresAt ?? null,
  });
}

/** Someone new with that role in the project. */
export async function makeMemberOf(
  app: Pick<TestApp, 'dataSource' | 'url'>,
  project: { id: number },
  role: Role,
): Promise<MadeActor> {
  const actor = await makeActor(app);
  await makeMember(app, { project, user: actor.user, role });
  return actor;
}

/** A group whose only member is its owner. */
export async function makeOwnedGroup(
  app: Database,
  { user }: { user: { id: number } },
  options: GroupOptions = {},
): Promise<MadeGroup> {
  const group = await makeGroup(app, options);
  await makeMember(app, { group, user, role: 'owner' });
  return group;
}
