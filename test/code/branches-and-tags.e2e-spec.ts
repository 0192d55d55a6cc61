import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rename } from 'node:fs/promises';
import { StorageRegistry } from '../../src/git/storage-registry.js';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeActor } from '../support/factories.js';
import { makeMemberOf, makeProject } from '../support/project-factories.js';
import { type CodeWorld, makeCodeWorld } from './world.js';

let app: TestApp;
let world: CodeWorld;

beforeAll(async () => {
  app = await sharedTestApp();
  world = await makeCodeWorld(app);
});
afterAll(async () => {
  await world.sandbox.remove();
});

async function names(path: string): Promise<string[]> {
  const { body } = await world.owner.api.get(`${world.base}${path}`).expect(200);
  return (body as { name: string }[]).map(({ name }) => name);
}

describe('GET …/repository/branches', () => {
  it('shows a branch whole', async () => {
    const { body } = await world.owner.api.get(`${world.base}/branches/feature%2Fx`).expect(200);
    expect(body).toEqual({
      name: 'feature/x',
      commit: {
        id: world.topic,
        short_id: world.topic.slice(0, 8),
        created_at: expect.stringMatching(/^\d{4}-.*\.000Z$/),
        parent_ids: [world.first],
        title: 'Change topic.txt',
        message: 'Change topic.txt\n',
        author_name: 'Test Author',
        author_email: 'author@example.com',
        authored_date: expect.stringMatching(/^\d{4}-.*\.000Z$/),
        committer_name: 'Test Author',
        committer_email: 'author@example.com',
        committed_date: expect.stringMatching(/^\d{4}-.*\.000Z$/),
        trailers: {},
        extended_trailers: {},
        web_url: `${app.url}/${world.project.fullPath}/-/commit/${world.topic}`,
      },
      merged: false,
      protected: false,
      developers_can_push: false,
      developers_can_merge: false,
      can_push: true,
      default: false,
      web_url: `${app.url}/${world.project.fullPath}/-/tree/feature/x`,
    });
  });

  it('lists by name, searches, sorts and pages', async () => {
    expect(await names('/branches')).toEqual(['done', 'feature/x', 'main']);
    expect(await names('/branches?search=EAT')).toEqual(['feature/x']);
    expect(await names('/branches?search=^ma')).toEqual(['main']);
    expect(await names('/branches?search=x$')).toEqual(['feature/x']);
    expect((await names('/branches?sort=updated_asc'))[0]).toBe('done');
    const response = await world.owner.api.get(`${world.base}/branches?per_page=1&page=2`);
    expect(response.body).toHaveLength(1);
    expect(response.headers).toMatchObject({
      'x-total': '3',
      'x-next-page': '3',
      'x-prev-page': '1',
    });
    expect(response.headers['link']).toContain('rel="next"');
  });

  it('shows which are merged, default and open to the viewer', async () => {
    const developer = await makeMemberOf(app, world.project, 'developer');
    const { body } = await developer.api.get(`${world.base}/branches`).expect(200);
    const facts = (body as Record<string, unknown>[]).map((branch) => [
      branch['name'],
      branch['merged'],
      branch['default'],
      branch['protected'],
      branch['can_push'],
    ]);
    expect(facts).toEqual([
      ['done', true, false, false, true],
      ['feature/x', false, false, false, true],
      ['main', false, true, true, false],
    ]);
  });

  it.each(['none', 'feature', '--all', 'main~1', '%E2%82%AC'])(
    'answers 404 for the branch %s',
    async (name) => {
      const { body } = await world.owner.api.get(`${world.base}/branches/${name}`).expect(404);
      expect(body).toEqual({ message: '404 Branch Not Found' });
    },
  );

  it('refuses an order that there is not', async () => {
    const response = await world.owner.api.get(`${world.base}/branches?sort=size`).expect(400);
    expect(response.body).toMatchObject({ error: 'sort does not have a valid value' });
  });
});

describe('GET …/repository/tags', () => {
  it('shows an annotated and a plain tag whole', async () => {
    const annotated = await world.owner.api.get(`${world.base}/tags/v1.10`).expect(200);
    expect(annotated.body).toEqual({
      name: 'v1.10',
      message: 'Ten',
      target: expect.stringMatching(/^[0-9a-f]{40}$/),
      commit: expect.objectContaining({ id: world.latest }),
      release: null,
      protected: false,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const { body } = await world.owner.api.get(`${world.base}/tags/v1.2`).expect(200);
    expect(body).toMatchObject({ message: null, target: world.first, created_at: null });
    expect(body).toMatchObject({
      commit: {
        trailers: { 'Reviewed-by': 'Ada <a@x>' },
        extended_trailers: { 'Reviewed-by': ['Ada <a@x>'] },
      },
    });
  });

  it('lists, searches, sorts by name and by version', async () => {
    expect(await names('/tags?order_by=name&sort=asc')).toEqual(['v1.10', 'v1.2']);
    expect(await names('/tags?order_by=version&sort=asc')).toEqual(['v1.2', 'v1.10']);
    expect(await names('/tags')).toEqual(['v1.10', 'v1.2']);
    expect(await names('/tags?search=2$')).toEqual(['v1.2']);
    const { body } = await world.owner.api.get(`${world.base}/tags/v1`).expect(404);
    expect(body).toEqual({ message: '404 Tag Not Found' });
  });
});

describe('who may read code', () => {
  it('is 404 for strangers, 403 for guests and where it is turned off', async () => {
    const path = `${world.base}/branches`;
    const stranger = await makeActor(app);
    const { body } = await stranger.api.get(path).expect(404);
    expect(body).toEqual({ message: '404 Project Not Found' });
    const guest = await makeMemberOf(app, world.project, 'guest');
    await guest.api.get(path).expect(403);
    const { id } = world.project;
    await app.dataSource.manager.update(Project, { id }, { repositoryEnabled: false });
    await world.owner.api.get(path).expect(403);
    await app.dataSource.manager.update(Project, { id }, { repositoryEnabled: true });
  });

  it('returns empty lists for an empty repository, 404 without one and 503 for a missing one', async () => {
    const { namespaceId } = world.owner.user;
    const none = await makeProject(app, { namespaceId });
    const missing = await world.owner.api.get(`/projects/${none.id}/repository/branches`);
    expect([missing.status, missing.body]).toEqual([404, { message: '404 Repository Not Found' }]);
    const lost = await makeProject(app, { namespaceId, emptyRepo: false });
    const { headers } = await world.owner.api
      .get(`/projects/${lost.id}/repository/branches`)
      .expect(503);
    expect(headers['retry-after']).toBe('60');
    const { body } = await world.owner.api.post('/projects', { name: 'Empty' }).expect(201);
    const empty = `/projects/${(body as { id: number }).id}/repository`;
    for (const list of ['branches', 'tags', 'commits']) {
      expect((await world.owner.api.get(`${empty}/${list}`).expect(200)).body).toEqual([]);
    }
    const tree = await world.owner.api.get(`${empty}/tree`).expect(404);
    expect(tree.body).toEqual({ message: '404 Tree Not Found' });
  });

  it('answers 503 while the storage is away', async () => {
    const other = await makeCodeWorld(app);
    const { root } = app.app.get(StorageRegistry).get('default');
    await rename(root, `${root}-away`);
    try {
      const response = await other.owner.api.get(`${other.base}/branches`).expect(503);
      expect(response.headers['retry-after']).toBe('30');
    } finally {
      await rename(`${root}-away`, root);
      await other.sandbox.remove();
    }
    await other.owner.api.get(`${other.base}/branches`).expect(200);
  });
});
