import type { INestApplicationContext } from '@nestjs/common';
import type { Viewer } from '../core/access/viewer.js';
import type { AuditActor } from '../core/audit/audit.service.js';
import { GroupsService } from '../workspace/groups/groups.service.js';
import { MembersService } from '../identity/members/members.service.js';
import { ROLES } from '../identity/members/roles.js';
import { ProjectsService } from '../workspace/projects/projects.service.js';
import { SnippetCreationService } from '../workspace/snippets/snippet-creation.service.js';
import { UsersService } from '../identity/users/users.service.js';
import { CliRepository } from './cli.repository.js';

const SNIPPET = `#!/bin/sh
# Clones the demo project over HTTP.
git clone "$1/workshop/hello-world.git"
`;

/**
 * Creates demo data: a group with a project and its repository, a developer, and a snippet, by the
 * same services as the API.
 */
export async function createDemoData(app: INestApplicationContext, rootId: number): Promise<void> {
  const root = await app.get(CliRepository).findViewer(rootId);
  if (root === null) throw new Error(`There is no user ${rootId}`);
  const actor: AuditActor = { viewer: root, impersonator: null };
  const groupId = await createGroup(app, root, actor);
  await addDeveloper(app, groupId, actor);
  await createProject(app, root, groupId);
  await app.get(SnippetCreationService).create({
    dto: {
      title: 'Clone the demo project',
      visibility: 'public',
      files: [{ file_path: 'clone.sh', content: SNIPPET }],
    },
    author: root,
    projectId: null,
  });
}

function createGroup(
  app: INestApplicationContext,
  root: Viewer,
  actor: AuditActor,
): Promise<number> {
  const group = {
    name: 'Workshop',
    path: 'workshop',
    parentId: null,
    description: 'Sample group',
    visibility: 'public' as const,
    requestAccessEnabled: true,
    emailsEnabled: true,
  };
  return app.get(GroupsService).create(group, root, actor);
}

async function addDeveloper(
  app: INestApplicationContext,
  groupId: number,
  actor: AuditActor,
): Promise<void> {
  const input = {
    username: 'alex',
    name: 'Alex Example',
    email: 'alex@example.com',
    password: null,
  };
  const alex = await app.get(UsersService).create(input, actor);
  await app
    .get(MembersService)
    .add(
      { kind: 'group', id: groupId, namespaceId: groupId },
      { user_id: alex.id, access_level: ROLES.developer },
      { actor, level: ROLES.owner },
    );
}

async function createProject(
  app: INestApplicationContext,
  root: Viewer,
  groupId: number,
): Promise<void> {
  const dto = {
    name: 'Hello World',
    path: 'hello-world',
    description: 'Sample project to clone, push to and move between storages',
    visibility: 'public' as const,
    initialize_with_readme: true,
  };
  await app
    .get(ProjectsService)
    .create(
      { dto, namespaceId: groupId, creator: root, viewer: root },
      { viewer: root, impersonator: null },
    );
}
