import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
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

async function ids(query: string): Promise<string[]> {
  const { body } = await world.owner.api.get(`${world.base}/commits${query}`).expect(200);
  return (body as { id: string }[]).map(({ id }) => id);
}

describe('GET …/repository/commits', () => {
  it('lists newest first from the default branch, a named ref or all of them', async () => {
    const { first, topic, latest } = world;
    expect(await ids('')).toEqual([latest, first]);
    expect(await ids('?ref_name=feature%2Fx')).toEqual([topic, first]);
    expect((await ids('?all=true')).toSorted()).toEqual([first, topic, latest].toSorted());
    expect(await ids('?path=run.sh')).toEqual([latest]);
    expect(await ids('?path=*.sh')).toEqual([]);
    expect(await ids('?author=test%20author')).toHaveLength(2);
    expect(await ids('?author=nobody')).toEqual([]);
    expect(await ids('?since=2999-01-01T00:00:00Z')).toEqual([]);
    expect(await ids('?until=2000-01-01T00:00:00Z')).toEqual([]);
    expect(await ids('?order=topo&first_parent=true')).toEqual([latest, first]);
  });

  it('counts its commits', async () => {
    const page = async (query: string) => {
      const path = `${world.base}/commits?${query}`;
      const { headers } = await world.owner.api.get(path).expect(200);
      const names = ['x-total', 'x-total-pages', 'x-next-page'].map((name) => headers[name]);
      const rels = [...String(headers['link']).matchAll(/rel="(\w+)"/g)].map(([, rel]) => rel);
      return [...names, rels.join()];
    };
    expect(await page('per_page=1')).toEqual(['2', '2', '2', 'next,first,last']);
    expect(await page('per_page=1&page=2')).toEqual(['2', '2', '', 'prev,first,last']);
    expect(await page('page=1000000')).toEqual(['2', '1', '', 'first,last']);
    expect(await page('per_page=1&all=true')).toEqual(['3', '3', '2', 'next,first,last']);
    expect(await page('per_page=1&path=run.sh')).toEqual(['1', '1', '', 'first,last']);
    expect(await page('page=2&path=..%2F')).toEqual(['0', '1', '', 'first,last']);
    expect(await page('page=3&author=nobody')).toEqual(['0', '1', '', 'first,last']);
    expect(await ids('?page=1000000')).toEqual([]);
  });

  it('counts lines when asked to', async () => {
    const { body } = await world.owner.api.get(`${world.base}/commits?with_stats=true`);
    expect(body).toEqual([
      expect.objectContaining({ stats: { additions: 1, deletions: 0, total: 1 } }),
      expect.objectContaining({ stats: { additions: 3, deletions: 0, total: 3 } }),
    ]);
    const plain = await world.owner.api.get(`${world.base}/commits`);
    expect((plain.body as object[])[0]).not.toHaveProperty('stats');
  });

  it.each(['none', '--all', 'main..feature/x', ':/Start', 'main@{0}'])(
    'finds no revision %s',
    async (ref) => {
      const path = `${world.base}/commits?ref_name=${encodeURIComponent(ref)}`;
      const { body } = await world.owner.api.get(path).expect(404);
      expect(body).toEqual({ message: '404 Commit Not Found' });
    },
  );
});

describe('GET …/repository/commits/:sha', () => {
  it('shows a commit whole, by id, short id, branch or tag', async () => {
    const { body } = await world.owner.api.get(`${world.base}/commits/${world.first}`).expect(200);
    expect(body).toEqual({
      id: world.first,
      short_id: world.first.slice(0, 8),
      created_at: expect.stringMatching(/Z$/),
      parent_ids: [],
      title: 'Start',
      message: 'Start\n\nReviewed-by: Ada <a@x>\n',
      author_name: 'Test Author',
      author_email: 'author@example.com',
      authored_date: expect.stringMatching(/Z$/),
      committer_name: 'Test Author',
      committer_email: 'author@example.com',
      committed_date: expect.stringMatching(/Z$/),
      trailers: { 'Reviewed-by': 'Ada <a@x>' },
      extended_trailers: { 'Reviewed-by': ['Ada <a@x>'] },
      web_url: `${app.url}/${world.project.fullPath}/-/commit/${world.first}`,
      stats: { additions: 3, deletions: 0, total: 3 },
      status: null,
      last_pipeline: null,
      project_id: world.project.id,
    });
    for (const name of [world.first.slice(0, 8), 'v1.2', 'done']) {
      const { body: same } = await world.owner.api.get(`${world.base}/commits/${name}`);
      expect(same).toEqual(body);
    }
    const plain = await world.owner.api.get(`${world.base}/commits/v1.2?stats=false`);
    expect(plain.body).toMatchObject({ stats: null });
  });

  it('answers 404 for a commit that is not there, also below it', async () => {
    for (const rest of ['', '/diff', '/refs']) {
      const path = `${world.base}/commits/${'1'.repeat(40)}${rest}`;
      const { body } = await world.owner.api.get(path).expect(404);
      expect(body).toEqual({ message: '404 Commit Not Found' });
    }
  });

  it('lists what it changed', async () => {
    const path = `${world.base}/commits/main/diff`;
    const { body, headers } = await world.owner.api.get(path).expect(200);
    expect(body).toEqual([
      {
        diff: '@@ -0,0 +1 @@\n+#!/bin/sh\n',
        collapsed: false,
        too_large: false,
        new_path: 'run.sh',
        old_path: 'run.sh',
        a_mode: '0',
        b_mode: '100755',
        new_file: true,
        renamed_file: false,
        deleted_file: false,
      },
    ]);
    expect(headers['x-total']).toBe('1');
    const unified = await world.owner.api.get(`${path}?unidiff=true`);
    expect((unified.body as { diff: string }[])[0]?.diff).toBe(
      '--- /dev/null\n+++ b/run.sh\n@@ -0,0 +1 @@\n+#!/bin/sh\n',
    );
  });

  it('lists the branches and tags that have it', async () => {
    const path = `${world.base}/commits/${world.first}/refs`;
    const { body } = await world.owner.api.get(path).expect(200);
    expect(body).toEqual([
      { type: 'branch', name: 'done' },
      { type: 'branch', name: 'feature/x' },
      { type: 'branch', name: 'main' },
      { type: 'tag', name: 'v1.10' },
      { type: 'tag', name: 'v1.2' },
    ]);
    const tags = await world.owner.api.get(`${path}?type=tag&per_page=1`);
    expect(tags.body).toEqual([{ type: 'tag', name: 'v1.10' }]);
    expect(tags.headers['x-total']).toBe('2');
  });
});

describe('GET …/repository/compare', () => {
  it('shows what one revision has over what both share', async () => {
    const path = `${world.base}/compare?from=main&to=feature%2Fx`;
    const { body } = await world.owner.api.get(path).expect(200);
    const commit = expect.objectContaining({ id: world.topic }) as unknown;
    expect(body).toEqual({
      commit,
      commits: [commit],
      diffs: [expect.objectContaining({ new_path: 'topic.txt', new_file: true })],
      compare_timeout: false,
      compare_same_ref: false,
      web_url: `${app.url}/${world.project.fullPath}/-/compare?from=main&to=feature%2Fx`,
    });
    const straight = await world.owner.api.get(`${path}&straight=true`).expect(200);
    const { diffs } = straight.body as { diffs: { new_path: string }[] };
    expect(diffs.map(({ new_path: name }) => name)).toEqual(['run.sh', 'topic.txt']);
  });

  it('shows that both are the same, and refuses unknown revisions', async () => {
    const same = await world.owner.api.get(`${world.base}/compare?from=v1.2&to=done`);
    expect(same.body).toMatchObject({ commit: null, commits: [], compare_same_ref: true });
    const { body } = await world.owner.api.get(`${world.base}/compare?from=x&to=main`).expect(404);
    expect(body).toEqual({ message: '404 Ref Not Found' });
    const missing = await world.owner.api.get(`${world.base}/compare?from=main`).expect(400);
    expect(missing.body).toMatchObject({ error: 'to is missing' });
  });
});

describe('GET …/repository/merge_base', () => {
  it('shows the last common commit', async () => {
    const path = `${world.base}/merge_base?refs[]=main&refs[]=feature%2Fx`;
    const { body } = await world.owner.api.get(path).expect(200);
    expect(body).toMatchObject({ id: world.first, title: 'Start' });
  });

  it('refuses one ref, and names the unknown ones', async () => {
    const one = await world.owner.api.get(`${world.base}/merge_base?refs[]=main`).expect(400);
    expect(one.body).toEqual({ message: 'Provide at least 2 refs' });
    const path = `${world.base}/merge_base?refs[]=main&refs[]=x&refs[]=y`;
    const { body } = await world.owner.api.get(path).expect(400);
    expect(body).toEqual({ message: 'Could not find refs: x, y' });
  });
});
