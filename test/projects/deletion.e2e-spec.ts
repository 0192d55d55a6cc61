import { rm } from 'node:fs/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AuditEvent } from '../../src/core/audit/audit-event.entity.js';
import { bareRepositoryExists, createBareRepository } from '../../src/git/git-repository.js';
import type { RepositoryKind } from '../../src/git/repository-path.js';
import { RepositoryTrash } from '../../src/git/repository-trash.repository.js';
import { StorageRegistry } from '../../src/git/storage-registry.js';
import { ContainerDeletionProcessor } from '../../src/workspace/projects/container-deletion.processor.js';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { Snippet } from '../../src/workspace/snippets/snippet.entity.js';
import { Namespace } from '../../src/identity/users/namespace.entity.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeActor, makeAdmin } from '../support/factories.js';
import { makeGroup, makeMember, makeProject } from '../support/project-factories.js';
import { makeSnippet } from '../support/snippet-factories.js';
import { startTestWorker } from '../support/worker.js';

let app: OwnTestApp;
let worker: INestApplicationContext;
beforeAll(async () => {
  app = await startTestApp();
  worker = await startTestWorker(app);
});
afterAll(async () => {
  await worker.close();
  await app.close();
});

function pathOf(kind: RepositoryKind, containerId: number): string {
  return app.app.get(StorageRegistry).absolutePath({ storage: 'default', kind, containerId });
}

async function makeRepository(kind: RepositoryKind, containerId: number): Promise<string> {
  const path = pathOf(kind, containerId);
  const { root: storageRoot } = app.app.get(StorageRegistry).get('default');
  await createBareRepository({ storageRoot, path, defaultBranch: 'main' });
  return path;
}

function projectIsGone(id: number): Promise<boolean> {
  return eventually(async () => (await app.dataSource.manager.countBy(Project, { id })) === 0);
}

function mark(id: number): Promise<unknown> {
  return app.dataSource.query(
    `UPDATE projects SET pending_delete = true, updated_at = now() - interval '1 hour'
     WHERE id = $1`,
    [id],
  );
}

describe('deletion', () => {
  it('moves the repository of a marked snippet to the trash, then deletes its row', async () => {
    const { user } = await makeActor(app);
    const snippet = await makeSnippet(app, { authorId: user.id });
    const admin = await makeAdmin(app);
    await admin.api.delete(`/users/${user.id}?hard_delete=true`).expect(204);
    await eventually(
      async () => (await app.dataSource.manager.countBy(Snippet, { id: snippet.id })) === 0,
    );
    expect(await bareRepositoryExists(snippet.repositoryPath)).toBe(false);
    const other = await makeSnippet(app, { authorId: admin.user.id });
    await worker.get(ContainerDeletionProcessor).carryOut({ kind: 'snippet', id: other.id });
    expect(await bareRepositoryExists(other.repositoryPath)).toBe(true);
    await app.dataSource.query(
      `UPDATE snippets SET pending_delete = true, updated_at = now() - interval '1 hour'
       WHERE id = $1`,
      [other.id],
    );
    await worker.get(ContainerDeletionProcessor).sweep();
    expect(await bareRepositoryExists(other.repositoryPath)).toBe(false);
  });

  it('takes every repository of a project and its snippets to the trash, then the rows', async () => {
    const owner = await makeActor(app);
    const { namespaceId } = owner.user;
    const project = await makeProject(app, { namespaceId, files: { 'a.txt': 'a' } });
    await makeMember(app, { project, user: owner.user, role: 'owner' });
    const wiki = await makeRepository('wiki', project.id);
    const snippet = await makeSnippet(app, { authorId: owner.user.id, projectId: project.id });

    await owner.api.delete(`/projects/${project.id}`).expect(202);
    await projectIsGone(project.id);

    for (const path of [pathOf('project', project.id), wiki, snippet.repositoryPath]) {
      expect(await bareRepositoryExists(path)).toBe(false);
    }
    const trash = await app.dataSource.manager.findBy(RepositoryTrash, {
      reason: `project-${project.id} deleted`,
    });
    expect(trash.map(({ path }) => path).sort()).toEqual([
      `+svc/trash/project-${project.id}-deleted.git`,
      `+svc/trash/wiki-${project.id}-deleted.git`,
    ]);
    const { root } = app.app.get(StorageRegistry).get('default');
    for (const { path } of trash) expect(await bareRepositoryExists(`${root}/${path}`)).toBe(true);
    const audit = await app.dataSource.manager.findOneByOrFail(AuditEvent, {
      action: 'project_deleted',
      targetId: project.id,
    });
    expect(audit.authorId).toBeNull();
    await owner.api.post('/projects', { name: project.name, path: project.path }).expect(201);
  });

  it('removes a group with all groups, projects and wikis below it', async () => {
    const owner = await makeActor(app);
    const group = await makeGroup(app);
    await makeMember(app, { group, user: owner.user, role: 'owner' });
    const subgroup = await makeGroup(app, { parentId: group.id });
    const project = await makeProject(app, { namespaceId: subgroup.id, files: { a: 'a' } });
    const wiki = await makeRepository('group-wiki', subgroup.id);

    await owner.api.delete(`/groups/${group.id}`).expect(202);
    await eventually(
      async () => (await app.dataSource.manager.countBy(Namespace, { id: group.id })) === 0,
    );

    expect(await app.dataSource.manager.countBy(Namespace, { id: subgroup.id })).toBe(0);
    expect(await app.dataSource.manager.countBy(Project, { id: project.id })).toBe(0);
    expect(await bareRepositoryExists(wiki)).toBe(false);
    expect(await bareRepositoryExists(pathOf('project', project.id))).toBe(false);
  });

  it('finds marked projects whose job was lost', async () => {
    const owner = await makeActor(app);
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });
    await mark(project.id);

    await worker.get(ContainerDeletionProcessor).sweep();

    await projectIsGone(project.id);
  });

  it('ends what a dead worker began, and bears being done twice at once', async () => {
    const owner = await makeActor(app);
    const { namespaceId } = owner.user;
    const project = await makeProject(app, { namespaceId, files: { 'a.txt': 'a' } });
    await makeRepository('wiki', project.id);
    await rm(pathOf('project', project.id), { recursive: true });
    await mark(project.id);
    const deletion = worker.get(ContainerDeletionProcessor);
    const job = { kind: 'project', id: project.id } as const;

    await Promise.all([deletion.carryOut(job), deletion.carryOut(job)]);
    await deletion.carryOut(job);

    await projectIsGone(project.id);
    expect(await bareRepositoryExists(pathOf('wiki', project.id))).toBe(false);
  });

  it('waits for a move of a snippet that was scheduled after the mark', async () => {
    const owner = await makeActor(app);
    const project = await makeProject(app, { namespaceId: owner.user.namespaceId });
    const snippet = await makeSnippet(app, { authorId: owner.user.id, projectId: project.id });
    await mark(project.id);
    await app.dataSource.query(
      `INSERT INTO snippet_repository_storage_moves
         (snippet_id, state, source_storage_name, destination_storage_name, retry_at)
       VALUES ($1, 'scheduled', 'default', 'storage2', now() + interval '1 hour')`,
      [snippet.id],
    );
    const deletion = worker.get(ContainerDeletionProcessor);
    const job = { kind: 'project', id: project.id } as const;

    await expect(deletion.carryOut(job)).rejects.toThrow('is in progress');
    expect(await bareRepositoryExists(snippet.repositoryPath)).toBe(true);
    await app.dataSource.query(
      `UPDATE snippet_repository_storage_moves SET state = 'failed' WHERE snippet_id = $1`,
      [snippet.id],
    );
    await deletion.carryOut(job);

    await projectIsGone(project.id);
  });

  it('leaves alone what is not marked and keeps the mark while a storage is away', async () => {
    const owner = await makeActor(app);
    const { namespaceId } = owner.user;
    const kept = await makeProject(app, { namespaceId });
    const stuck = await makeProject(app, { namespaceId, repositoryStorage: 'unmounted' });
    await mark(stuck.id);
    const deletion = worker.get(ContainerDeletionProcessor);

    await deletion.carryOut({ kind: 'project', id: kept.id });
    const failure = deletion.carryOut({ kind: 'project', id: stuck.id });

    await expect(failure).rejects.toThrow('Storage unmounted is not configured');
    const rows = await app.dataSource.manager.findBy(Project, [{ id: kept.id }, { id: stuck.id }]);
    expect(rows.map(({ pendingDelete }) => pendingDelete).sort()).toEqual([false, true]);
  });
});
