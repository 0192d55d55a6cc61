import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeActor, unique, type MadeActor } from '../support/factories.js';
import { clientOf, idsOf, refusalOf, type Client } from './client.js';

const FILES = [
  { filePath: 'about.md', content: '# About' },
  { filePath: 'bin/run me.sh', content: 'echo "ä"\n' },
];

let app: OwnTestApp;
let author: MadeActor;
let client: Client;
beforeAll(async () => {
  app = await startTestApp();
  author = await makeActor(app);
  client = clientOf(app, author);
});
afterAll(() => app.close());

describe('personal snippets', () => {
  it('are created, read file by file, changed and removed', async () => {
    const created = await client.Snippets.create('A title', {
      description: 'What it is',
      visibility: 'private',
      files: FILES,
    });
    expect(created).toMatchObject({
      title: 'A title',
      file_name: 'about.md',
      author: { id: author.user.id },
      files: [{ path: 'about.md' }, { path: 'bin/run me.sh' }],
    });
    expect(await client.Snippets.showContent(created.id)).toBe('# About');
    const raw = await client.Snippets.showRepositoryFileContent(
      created.id,
      'main',
      'bin/run me.sh',
    );
    expect(raw).toBe('echo "ä"\n');
    const edited = await client.Snippets.edit(created.id, {
      description: 'Better',
      files: [
        { action: 'update', filePath: 'about.md', content: '# More' },
        { action: 'move', previousPath: 'bin/run me.sh', filePath: 'bin/run.sh' },
        { action: 'create', filePath: 'new.txt', content: 'new' },
      ],
    });
    expect(edited).toMatchObject({ description: 'Better' });
    expect(await client.Snippets.showContent(created.id)).toBe('# More');
    expect(await client.Snippets.show(created.id)).toMatchObject({
      files: [{ path: 'about.md' }, { path: 'bin/run.sh' }, { path: 'new.txt' }],
    });
    await client.Snippets.remove(created.id);
    expect(await refusalOf(client.Snippets.show(created.id))).toEqual({
      status: 404,
      description: '404 Snippet Not Found',
    });
  });

  it('are listed, their own and all public ones', async () => {
    const files = [{ filePath: 'a.txt', content: 'a' }];
    const [own, shared] = await Promise.all([
      client.Snippets.create(unique('Own '), { visibility: 'private', files }),
      client.Snippets.create(unique('Shared '), { visibility: 'public', files }),
    ]);
    expect(idsOf(await client.Snippets.all())).toEqual(expect.arrayContaining([own.id, shared.id]));
    const reader = clientOf(app, await makeActor(app));
    const seen = idsOf(await reader.Snippets.all({ public: true }));
    expect(seen).toContain(shared.id);
    expect(seen).not.toContain(own.id);
    expect(await reader.Snippets.all()).toEqual([]);
  });

  it('tell the application what is missing', async () => {
    const { status, description } = await refusalOf(
      client.Snippets.create('', { visibility: 'private', files: FILES }),
    );
    expect({ status, description }).toEqual({ status: 400, description: 'title is empty' });
    const withoutFiles = client.Snippets.create('A title', { visibility: 'private' });
    expect(await refusalOf(withoutFiles)).toEqual({
      status: 400,
      description: 'files, content are missing, exactly one parameter must be provided',
    });
  });
});

describe('snippets of a project', () => {
  it('are created, listed, read, changed and removed', async () => {
    const project = await client.Projects.create({ name: unique('project-') });
    const path = String(project.path_with_namespace);
    const created = await client.ProjectSnippets.create(path, 'A title', {
      visibility: 'private',
      files: FILES,
    });
    expect(created).toMatchObject({ project_id: project.id, title: 'A title' });
    expect(idsOf(await client.ProjectSnippets.all(path))).toEqual([created.id]);
    await client.ProjectSnippets.edit(project.id, created.id, { description: 'Better' });
    expect(await client.ProjectSnippets.show(project.id, created.id)).toMatchObject({
      description: 'Better',
    });
    expect(await client.ProjectSnippets.showContent(project.id, created.id)).toBe('# About');
    const raw = await client.ProjectSnippets.showRepositoryFileContent(
      path,
      created.id,
      'main',
      'bin/run me.sh',
    );
    expect(raw).toBe('echo "ä"\n');
    await client.ProjectSnippets.remove(project.id, created.id);
    expect(await client.ProjectSnippets.all(project.id)).toEqual([]);
  });
});
