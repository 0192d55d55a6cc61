import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MergeRequest } from '../../src/code/merge-requests/merge-request.entity.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import type { MadeActor } from '../support/factories.js';
import { makeWritingWorld, updatesOf, type WritingWorld } from './writing-world.js';

const STALE = { 'If-Unmodified-Since': 'Wed, 01 Jan 2020 00:00:00 GMT' };
const HEX = 'a'.repeat(40);

let app: TestApp;
let world: WritingWorld;
let developer: MadeActor;

beforeAll(async () => {
  app = await sharedTestApp();
  world = await makeWritingWorld(app);
  developer = await world.member('developer');
});

const refs = (): string[] => world.git('for-each-ref', '--format=%(refname)').split('\n');

describe('branches over the API', () => {
  it('are made where a branch, tag or commit is, and answered like any other', async () => {
    const tip = world.git('rev-parse', 'main');
    const { body } = await developer.api
      .post(`${world.base}/branches`, { branch: 'feature/x', ref: tip.slice(0, 10) })
      .expect(201);
    expect(body).toMatchObject({
      name: 'feature/x',
      commit: { id: tip },
      merged: false,
      protected: false,
      default: false,
      can_push: true,
    });
    const shown = await developer.api.get(`${world.base}/branches/feature%2Fx`).expect(200);
    expect(shown.body).toEqual(body);
    const updates = await updatesOf(app, world.projectId);
    expect(updates.at(-1)).toMatchObject({ ref: 'refs/heads/feature/x', newOid: tip });
  });

  it.each([
    [{ branch: 'main', ref: 'main' }, 'Branch already exists'],
    [{ branch: 'new', ref: 'foo' }, 'Invalid reference name: foo'],
    [{ branch: 'new', ref: '--all' }, 'Invalid reference name: --all'],
    [{ branch: 'new', ref: 'main~0' }, 'Invalid reference name: main~0'],
    [{ branch: 'a b', ref: 'main' }, 'Branch name is invalid'],
    [{ branch: '-d', ref: 'main' }, 'Branch name is invalid'],
    [{ branch: '../x', ref: 'main' }, 'Branch name is invalid'],
    [{ branch: 'HEAD', ref: 'main' }, 'Branch name is invalid'],
    [{ branch: HEX, ref: 'main' }, 'Branch name is invalid'],
    [{ branch: HEX.toUpperCase(), ref: 'main' }, 'Branch name is invalid'],
    [
      { branch: 'main/x', ref: 'main' },
      'The name clashes with another one: one of them would be a folder of the other',
    ],
  ])('are refused: %j', async (wanted, message) => {
    const before = refs();
    const { body } = await developer.api.post(`${world.base}/branches`, wanted).expect(400);
    expect(body).toEqual({ message });
    expect(refs()).toEqual(before);
  });

  describe('in an empty repository', () => {
    let empty: WritingWorld;
    beforeEach(async () => {
      empty = await makeWritingWorld(app, { files: undefined, defaultBranch: 'trunk' });
    });
    const make = (branch: string, ref: string, { api } = empty.owner) =>
      api.post(`${empty.base}/branches`, { branch, ref });

    it('are created from the default branch, which first receives an empty README.md', async () => {
      const { body } = await make('feature', 'trunk').expect(201);
      expect(body).toMatchObject({
        name: 'feature',
        commit: { title: 'Add README.md', author_email: empty.owner.user.email },
      });
      expect(empty.git('rev-parse', 'trunk')).toBe(empty.git('rev-parse', 'feature'));
      expect(empty.git('ls-tree', '-l', 'trunk')).toMatch(/^100644 blob \w+ +0\tREADME.md$/);
      const updates = await updatesOf(app, empty.projectId);
      expect(updates.map(({ ref }) => ref).sort()).toEqual([
        'refs/heads/feature',
        'refs/heads/trunk',
      ]);
      const { body: project } = await empty.owner.api.get(`/projects/${empty.projectId}`);
      expect(project).toMatchObject({ empty_repo: false, default_branch: 'trunk' });
    });

    it('can be the default branch itself', async () => {
      const { body } = await make('trunk', 'trunk').expect(201);
      expect(body).toMatchObject({ name: 'trunk', default: true });
      await make('trunk', 'trunk').expect(400);
    });

    it('are refused from other refs, and without the right to create the default branch', async () => {
      await make('feature', 'trunk', await empty.member('developer')).expect(403);
      const { body } = await make('feature', 'other').expect(400);
      expect(body).toEqual({ message: 'Invalid reference name: other' });
      expect(empty.git('for-each-ref')).toBe('');
    });
  });

  it('are made once by many at once', async () => {
    const wanted = { branch: 'raced', ref: 'main' };
    const answers = await Promise.all(
      [1, 2, 3].map(() => developer.api.post(`${world.base}/branches`, wanted)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  });

  it('are deleted unless unknown, committed to since, or the default branch', async () => {
    const { base, owner } = world;
    await developer.api.post(`${base}/branches`, { branch: 'old/one', ref: 'main' }).expect(201);
    await developer.api.delete(`${base}/branches/old%2Fone`).set(STALE).expect(412);
    await developer.api.delete(`${base}/branches/old%2Fone`).expect(204);
    expect(refs()).not.toContain('refs/heads/old/one');
    const gone = await developer.api.delete(`${base}/branches/old%2Fone`).expect(404);
    expect(gone.body).toEqual({ message: '404 Branch Not Found' });
    const { body } = await owner.api.delete(`${base}/branches/main`).expect(403);
    expect(body).toEqual({
      message: '403 Forbidden - The default branch of a project cannot be deleted.',
    });
    const reporter = await world.member('reporter');
    await reporter.api.delete(`${base}/branches/feature%2Fx`).expect(403);
    await reporter.api.post(`${base}/branches`, { branch: 'y', ref: 'main' }).expect(403);
  });

  it('are deleted together when merged, but for those of merge requests', async () => {
    const merged = await makeWritingWorld(app);
    const { git, owner, base, projectId } = merged;
    const first = git('rev-parse', 'main');
    for (const name of ['behind', 'asked-for']) git('branch', name, first);
    await merged.commit({ actions: [{ action: 'create', file_path: 'x' }] }).expect(201);
    git('branch', 'level', 'main');
    const body = { branch: 'ahead', start_branch: 'main' };
    await merged.commit({ ...body, actions: [{ action: 'create', file_path: 'y' }] }).expect(201);
    await app.dataSource.manager.insert(MergeRequest, {
      projectId,
      iid: 1,
      authorId: owner.user.id,
      title: 'Asked for',
      sourceBranch: 'asked-for',
      targetBranch: 'main',
      headSha: first,
      baseSha: first,
    });
    const { body: answer } = await owner.api.delete(`${base}/merged_branches`).expect(202);
    expect(answer).toEqual({ message: '202 Accepted' });
    expect(git('branch', '--format=%(refname:short)').split('\n')).toEqual([
      'ahead',
      'asked-for',
      'level',
      'main',
    ]);
    await owner.api.delete(`${base}/merged_branches`).expect(202);
  });
});

describe('tags over the API', () => {
  it('are plain ones, or annotated ones with a message', async () => {
    const { base, git, owner } = world;
    const tip = git('rev-parse', 'main');
    const plain = await developer.api
      .post(`${base}/tags`, { tag_name: 'v1.0', ref: 'main' })
      .expect(201);
    expect(plain.body).toMatchObject({
      name: 'v1.0',
      message: null,
      target: tip,
      commit: { id: tip },
      created_at: null,
    });
    const { body } = await owner.api
      .post(`${base}/tags`, { tag_name: 'v1.1', ref: 'v1.0', message: 'Eleven\n\nMore' })
      .expect(201);
    expect(body).toMatchObject({
      name: 'v1.1',
      message: 'Eleven\n\nMore',
      target: git('rev-parse', 'v1.1'),
      commit: { id: tip },
      created_at: expect.stringMatching(/Z$/),
    });
    expect(git('cat-file', '-t', 'v1.1')).toBe('tag');
    expect(git('cat-file', 'tag', 'v1.1')).toContain(`tagger ${owner.user.name} <`);
    git('fsck', '--full', '--strict');
  });

  it.each([
    [{ tag_name: 'v1.0', ref: 'main' }, 'Tag v1.0 already exists'],
    [{ tag_name: 'v2', ref: 'foo' }, 'Target foo is invalid'],
    [{ tag_name: '-d', ref: 'main' }, 'Tag name invalid'],
    [{ tag_name: 'a..b', ref: 'main' }, 'Tag name invalid'],
  ])('are refused: %j', async (wanted, message) => {
    await world.owner.api.post(`${world.base}/tags`, { tag_name: 'v1.0', ref: 'main' });
    const { body } = await developer.api.post(`${world.base}/tags`, wanted).expect(400);
    expect(body).toEqual({ message });
  });

  it('are deleted by who keeps the project only', async () => {
    const { base, owner } = world;
    await developer.api.post(`${base}/tags`, { tag_name: 'gone', ref: 'main' }).expect(201);
    const { body } = await developer.api.delete(`${base}/tags/gone`).expect(403);
    expect(body).toEqual({
      message: '403 Forbidden - You are not allowed to change existing tags on this project.',
    });
    await owner.api.delete(`${base}/tags/gone`).set(STALE).expect(412);
    await owner.api.delete(`${base}/tags/gone`).expect(204);
    const gone = await owner.api.delete(`${base}/tags/gone`).expect(404);
    expect(gone.body).toEqual({ message: '404 Tag Not Found' });
  });
});
