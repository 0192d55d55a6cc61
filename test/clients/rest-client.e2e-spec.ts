import type { INestApplicationContext } from '@nestjs/common';
import { Gitlab } from '@gitbeaker/rest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeAdmin, unique, type MadeActor } from '../support/factories.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeGitSandbox, type GitSandbox } from '../support/git.js';
import { startTestWorker } from '../support/worker.js';

describe('a common v4 client library', () => {
  let app: TestApp;
  let worker: INestApplicationContext;
  let sandbox: GitSandbox;
  let admin: MadeActor;
  let client: InstanceType<typeof Gitlab>;

  beforeAll(async () => {
    app = await startTestApp();
    worker = await startTestWorker(app);
    sandbox = await makeGitSandbox();
    admin = await makeAdmin(app);
    client = new Gitlab({ host: app.url, token: admin.token });
  });

  afterAll(async () => {
    await worker.close();
    await app.close();
    await sandbox.remove();
  });

  it('knows who it is', async () => {
    expect(await client.Users.showCurrentUser()).toMatchObject({
      id: admin.user.id,
      username: admin.user.username,
      is_admin: true,
    });
  });

  it('creates, reads, edits and lists a project of a group', async () => {
    const group = await client.Groups.create(unique('Group '), unique('group-'));
    const name = unique('project-');
    const created = await client.Projects.create({ name, namespaceId: group.id });
    await client.Projects.edit(created.id, { description: 'Changed' });
    const shown = await client.Projects.show(`${group.full_path}/${name}`);
    expect(shown).toMatchObject({ id: created.id, description: 'Changed' });
    const listed = await client.Groups.allProjects(group.id);
    expect(listed.map(({ id }) => id)).toEqual([created.id]);
  });

  it('walks through all pages of a list by itself', async () => {
    const prefix = unique('paged-');
    await Promise.all(
      [1, 2, 3, 4, 5].map((n) => client.Projects.create({ name: `${prefix}-${n}` })),
    );
    const found = await client.Projects.all({ search: prefix, perPage: 2 });
    expect(found).toHaveLength(5);
  });

  it('adds, changes and removes a member', async () => {
    const project = await client.Projects.create({ name: unique('project-') });
    const { user } = await makeAdmin(app);
    await client.ProjectMembers.add(project.id, 30, { userId: user.id });
    await client.ProjectMembers.edit(project.id, user.id, 40);
    expect(await client.ProjectMembers.show(project.id, user.id)).toMatchObject({
      access_level: 40,
    });
    await client.ProjectMembers.remove(project.id, user.id);
    await expect(client.ProjectMembers.show(project.id, user.id)).rejects.toThrow();
  });

  it('keeps a snippet', async () => {
    const snippet = await client.Snippets.create('A title', {
      visibility: 'private',
      files: [{ filePath: 'notes.md', content: '# Notes' }],
    });
    expect(await client.Snippets.showContent(snippet.id)).toBe('# Notes');
    await client.Snippets.remove(snippet.id);
    await expect(client.Snippets.show(snippet.id)).rejects.toThrow('404 Snippet Not Found');
  });

  it('moves a pushed repository to another storage and sees it finish', async () => {
    const project = await client.Projects.create({ name: unique('project-') });
    const remote = new URL(String(project.http_url_to_repo));
    Object.assign(remote, { username: 'oauth2', password: admin.token });
    await sandbox.run(['init', '--quiet', 'work']);
    const pushed = await sandbox.commit('work', 'README.md', '# Moved');
    await sandbox.run(['push', '--quiet', remote.href, 'main'], 'work');
    const move = await client.ProjectRepositoryStorageMoves.schedule('default', {
      projectId: project.id,
      destinationStorageName: 'storage2',
    });
    expect(move).toMatchObject({ state: 'scheduled', destination_storage_name: 'storage2' });
    await eventually(async () => {
      const seen = await client.ProjectRepositoryStorageMoves.show(move.id);
      expect(seen.state).toBe('finished');
    });
    const heads = await sandbox.run(['ls-remote', remote.href, 'refs/heads/main']);
    expect(heads.split('\t')[0]).toBe(pushed);
  });
});
