import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CodeWorld, makeCodeWorld } from '../code/world.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { clientOf, refusalOf, type Client } from './client.js';

let app: OwnTestApp;
let world: CodeWorld;
let client: Client;
let id: number;
beforeAll(async () => {
  app = await startTestApp();
  world = await makeCodeWorld(app);
  client = clientOf(app, world.owner);
  id = world.project.id;
});
afterAll(async () => {
  await world.sandbox.remove();
  await app.close();
});

describe('a repository', () => {
  it('has branches and tags, found by names with slashes', async () => {
    const branches = await client.Branches.all(id, { perPage: 2 });
    expect(branches.map(({ name }) => name)).toEqual(['done', 'feature/x', 'main']);
    expect(await client.Branches.show(id, 'feature/x')).toMatchObject({ merged: false });
    const tags = await client.Tags.all(id, { orderBy: 'version', sort: 'asc' });
    expect(tags.map(({ name }) => name)).toEqual(['v1.2', 'v1.10']);
    expect(await client.Tags.show(id, 'v1.10')).toMatchObject({ message: 'Ten' });
    expect((await refusalOf(client.Branches.show(id, 'none'))).status).toBe(404);
  });

  it('has commits, walked through to the last page, with what they changed', async () => {
    const commits = await client.Commits.all(id, { perPage: 1, withStats: true });
    expect(commits.map((commit) => commit.id)).toEqual([world.latest, world.first]);
    expect(commits[0]).toMatchObject({ stats: { total: 1 } });
    expect(await client.Commits.show(id, world.first)).toMatchObject({ title: 'Start' });
    const diff = await client.Commits.showDiff(id, 'main');
    expect(diff).toMatchObject([{ new_path: 'run.sh', new_file: true }]);
    const refs = await client.Commits.allReferences(id, world.topic);
    expect(refs).toEqual([{ type: 'branch', name: 'feature/x' }]);
  });

  it('is compared, and tells what revisions have in common', async () => {
    const comparison = await client.Repositories.compare(id, 'main', 'feature/x');
    expect(comparison.commits?.map((commit) => commit.id)).toEqual([world.topic]);
    const base = await client.Repositories.mergeBase(id, ['main', 'feature/x']);
    expect(base).toMatchObject({ id: world.first });
  });

  it('has folders and files, also with names that are not plain', async () => {
    const tree = await client.Repositories.allRepositoryTrees(id, { recursive: true, perPage: 2 });
    expect(tree.map(({ path }) => path)).toContain('src/ä b.txt');
    const file = await client.RepositoryFiles.show(id, 'src/ä b.txt', 'main');
    expect(Buffer.from(file.content, 'base64').toString()).toBe('one\ntwo\n');
    expect(await client.RepositoryFiles.showRaw(id, 'src/ä b.txt', 'main')).toBe('one\ntwo\n');
    expect(await client.Repositories.showBlob(id, file.blob_id)).toMatchObject({ size: 8 });
    const missing = await refusalOf(client.RepositoryFiles.show(id, 'none', 'main'));
    expect(missing).toEqual({ status: 404, description: '404 File Not Found' });
  });
});
