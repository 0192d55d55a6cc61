import { rename } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StorageRegistry } from '../../src/git/storage-registry.js';
import { Project } from '../../src/workspace/projects/project.entity.js';
import { openWrites } from '../git-http/world.js';
import { startTestApp, type OwnTestApp } from '../support/app.js';
import { makeWritingWorld, updatesOf, type WritingWorld } from './writing-world.js';

const TIME = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.000Z$/);

let app: OwnTestApp;
let world: WritingWorld;

beforeAll(async () => {
  app = await startTestApp();
  world = await makeWritingWorld(app);
});
afterAll(() => app.close());

const create = (path: string, content = path) => ({ action: 'create', file_path: path, content });

describe('POST …/repository/commits', () => {
  it('answers the commit whole, which git finds sound, and puts it on record', async () => {
    const { git, owner, projectId } = world;
    const parent = git('rev-parse', 'main');
    const { body } = await world
      .commit({
        commit_message: 'Add a guide\n\nReviewed-by: Ada <ada@example.com>',
        author_name: 'Grace',
        author_email: 'grace@example.com',
        actions: [create('docs/guide.md', 'one\ntwo\n')],
      })
      .expect(201);
    const id = git('rev-parse', 'main');
    expect(body).toEqual({
      id,
      short_id: id.slice(0, 8),
      created_at: TIME,
      parent_ids: [parent],
      title: 'Add a guide',
      message: 'Add a guide\n\nReviewed-by: Ada <ada@example.com>\n',
      author_name: 'Grace',
      author_email: 'grace@example.com',
      authored_date: TIME,
      committer_name: owner.user.name,
      committer_email: owner.user.email,
      committed_date: TIME,
      trailers: { 'Reviewed-by': 'Ada <ada@example.com>' },
      extended_trailers: { 'Reviewed-by': ['Ada <ada@example.com>'] },
      web_url: expect.stringContaining(`/-/commit/${id}`),
      stats: { additions: 2, deletions: 0, total: 2 },
      status: null,
      last_pipeline: null,
      project_id: projectId,
    });
    git('fsck', '--full', '--strict');
    const updates = await updatesOf(app, projectId);
    expect(updates).toEqual([
      { ref: 'refs/heads/main', oldOid: parent, newOid: id, userId: owner.user.id },
    ]);
    expect(await openWrites(app)).toBe(0);
  });

  it('does everything with files in one commit, in the order given', async () => {
    const { git } = world;
    const actions = [
      create('one/two/three.txt', 'x'),
      { action: 'move', previous_path: 'src/a.txt', file_path: 'lib/a.txt' },
      { action: 'update', file_path: 'README.md', content: 'aGk=', encoding: 'base64' },
      { action: 'chmod', file_path: 'lib/a.txt', execute_filemode: true },
      { action: 'create', file_path: 'empty', execute_filemode: true },
      create('passing'),
      { action: 'delete', file_path: 'passing' },
    ];
    const count = Number(git('rev-list', '--count', 'main'));
    const { body } = await world.commit({ actions, stats: false }).expect(201);
    expect(body).toMatchObject({ stats: null });
    expect(Number(git('rev-list', '--count', 'main'))).toBe(count + 1);
    expect(world.files()).toEqual(expect.arrayContaining(['lib/a.txt', 'one/two/three.txt']));
    expect(world.files()).not.toEqual(expect.arrayContaining(['passing']));
    expect(git('show', 'main:README.md')).toBe('hi');
    expect(git('show', 'main:lib/a.txt')).toBe('a');
    expect(git('ls-tree', 'main', 'lib/a.txt', 'empty')).toMatch(/^100755.*\n100755/);
    git('fsck', '--full', '--strict');
  });
});

describe('a commit that is refused', () => {
  let refusing: WritingWorld;
  beforeAll(async () => {
    refusing = await makeWritingWorld(app, { files: { 'README.md': '1', 'dir/x': '2' } });
    const { git } = refusing;
    const blob = git('rev-parse', 'main:README.md');
    refusing.addEntries(
      `120000 blob ${blob}\tlink`,
      `160000 commit ${git('rev-parse', 'main')}\tmodule`,
    );
  });

  async function expectRefusal(body: object, status: number, answer: object): Promise<void> {
    const before = refusing.git('for-each-ref');
    const response = await refusing.commit(body).expect(status);
    expect(response.body).toEqual(answer);
    expect(refusing.git('for-each-ref')).toBe(before);
  }

  it.each([
    ['create', 'README.md', {}, 'A file with this name already exists'],
    ['create', 'dir', {}, 'A directory with this name already exists'],
    ['create', 'README.md/x', {}, 'A file with this name already exists'],
    ['create', 'link/x', {}, 'A file with this name already exists'],
    ['update', 'none', { content: '' }, "A file with this name doesn't exist"],
    ['update', 'dir', { content: '' }, "A file with this name doesn't exist"],
    ['delete', 'dir', {}, "A file with this name doesn't exist"],
    ['move', 'b', { previous_path: 'none' }, "A file with this name doesn't exist"],
    ['move', 'dir/x', { previous_path: 'README.md' }, 'A file with this name already exists'],
    ['chmod', 'module', { execute_filemode: true }, "A file with this name doesn't exist"],
  ])('is refused in the words of v4: %s %s', async (...[action, path, more, message]) => {
    const actions = [create('kept'), { action, file_path: path, ...more }];
    await expectRefusal({ actions }, 400, { message });
  });

  it.each([
    '.git/config',
    'a/.GIT/hooks/pre-commit',
    'git~1/x',
    '../x',
    'a/../../x',
    '/etc/passwd',
    'a//b',
    'a\\b',
    'line\nend',
    '.',
  ])('names no path that would leave a work tree: %j', async (path) => {
    const error = 'actions[file_path] should be a valid file path';
    const message = `400 (Bad request) ${error}`;
    await expectRefusal({ actions: [create(path)] }, 400, { message, error });
    await refusing.commit({ actions: [{ ...create('x'), previous_path: path }] }).expect(400);
  });

  it.each([
    [{ actions: [] }, 'actions is empty'],
    [{}, 'actions is missing'],
    [{ actions: 'none' }, 'actions is invalid'],
    [{ actions: [{ action: 'copy', file_path: 'x' }] }, /^actions\[action\] does not have a valid/],
    [{ actions: [{ action: 'update', file_path: 'x' }] }, 'actions[content] is missing'],
    [{ actions: [{ action: 'move', file_path: 'x' }] }, 'actions[previous_path] is missing'],
    [{ actions: [{ action: 'chmod', file_path: 'x' }] }, 'actions[execute_filemode] is missing'],
    [{ actions: [{ ...create('x', 'a'), encoding: 'base64' }] }, 'actions[content] is invalid'],
    [{ actions: [create('x')], commit_message: ' ' }, 'commit_message is empty'],
    [
      { actions: [create('x')], start_branch: 'a', start_sha: 'b' },
      'start_branch, start_sha are mutually exclusive',
    ],
    [
      { actions: Array.from({ length: 1001 }, (_, n) => create(`${n}`)) },
      'actions has a value not allowed',
    ],
  ])('names the invalid parameter: case %#', async (body, error) => {
    const response = await refusing.commit(body).expect(400);
    expect((response.body as { error: string }).error).toEqual(
      typeof error === 'string' ? error : expect.stringMatching(error),
    );
  });

  it('begins nowhere: unknown branches and commits, names that cannot be', async () => {
    const actions = [create('x')];
    const sha = 'a'.repeat(40);
    const onBranch = 'You can only create or edit files when you are on a branch';
    const cases = [
      [{ branch: 'none' }, onBranch],
      [{ branch: 'none', start_branch: 'nowhere' }, onBranch],
      [{ branch: 'none', start_branch: '--all' }, onBranch],
      [{ branch: 'none', start_sha: 'main~1' }, "Invalid start_sha 'main~1'"],
      [{ branch: 'none', start_sha: sha }, `Cannot find start_sha '${sha}'`],
      [{ branch: '-x' }, 'Branch name is invalid'],
      [{ branch: sha }, 'Branch name is invalid'],
    ] as const;
    for (const [body, message] of cases)
      await expectRefusal({ actions, ...body }, 400, { message });
  });

  it('comes from who may not push there, or to what takes no code', async () => {
    const actions = [create('x')];
    const developer = await refusing.member('developer');
    const reporter = await refusing.member('reporter');
    await refusing.commit({ actions }, reporter).expect(403);
    const { body } = await refusing.commit({ actions }, developer).expect(403);
    const message = '403 Forbidden - You are not allowed to push into this branch';
    expect(body).toEqual({ message });
    const set = (values: object) =>
      app.dataSource.manager.update(Project, { id: refusing.projectId }, values);
    for (const off of [{ archived: true }, { repositoryEnabled: false }]) {
      await set(off);
      await expectRefusal({ actions }, 403, { message: '403 Forbidden' });
      await set({ archived: false, repositoryEnabled: true });
    }
    await set({ repositoryReadOnly: true });
    await expectRefusal({ actions }, 400, {
      message: 'The repository is temporarily read-only. Please try again later.',
    });
    await set({ repositoryReadOnly: false });
  });

  it('would put a branch beneath another one', async () => {
    const body = { branch: 'main/x', start_branch: 'main', actions: [create('x')] };
    await expectRefusal(body, 400, {
      message: 'The name clashes with another one: one of them would be a folder of the other',
    });
    await refusing.commit({ actions: [create('after')] }).expect(201);
  });
});

describe('where a commit goes', () => {
  it('is a new branch from another one or from a commit, also for Developers', async () => {
    const { git, member } = world;
    const developer = await member('developer');
    const first = git('rev-list', '--max-parents=0', 'main');
    const fromBranch = { branch: 'one', start_branch: 'main', actions: [create('x')] };
    await world.commit(fromBranch, developer).expect(201);
    expect(git('rev-parse', 'one^')).toBe(git('rev-parse', 'main'));
    const fromCommit = { branch: 'two', start_sha: first.toUpperCase(), actions: [create('x')] };
    await world.commit(fromCommit, developer).expect(201);
    expect(git('rev-parse', 'two^')).toBe(first);
    const { body } = await world.commit({ ...fromCommit, branch: 'one' }, developer).expect(400);
    expect(body).toEqual({
      message:
        "A branch called 'one' already exists. Switch to that branch in order to make changes",
    });
  });

  it('resets a branch by force, but never a protected one', async () => {
    const { git } = world;
    await world.commit({ branch: 'anew', start_branch: 'main', actions: [create('x')] });
    const first = git('rev-list', '--max-parents=0', 'main');
    const body = { start_sha: first, force: true, actions: [create('y')] };
    await world.commit({ ...body, branch: 'anew' }).expect(201);
    expect(git('rev-parse', 'anew^')).toBe(first);
    const refused = await world.commit({ ...body, branch: 'main' }).expect(403);
    expect(refused.body).toEqual({
      message:
        '403 Forbidden - You are not allowed to force push code to a protected branch on this project.',
    });
    const ahead = git('rev-parse', 'main');
    await world
      .commit({ branch: 'main', start_sha: ahead, force: true, actions: [create('z')] })
      .expect(201);
  });

  it('is the first commit of an empty repository, even of one not made yet', async () => {
    const empty = await makeWritingWorld(app, { files: undefined, defaultBranch: null });
    const developer = await empty.member('developer');
    await empty.commit({ actions: [create('x')] }, developer).expect(403);
    const { body } = await empty.commit({ actions: [create('a/b')] }).expect(201);
    expect(body).toMatchObject({ parent_ids: [], stats: { additions: 1, deletions: 0, total: 1 } });
    expect(empty.files()).toEqual(['a/b']);
    const project = await empty.owner.api.get(`/projects/${empty.projectId}`);
    expect(project.body).toMatchObject({ default_branch: 'main', empty_repo: false });
  });

  it('is not a repository that was lost', async () => {
    const lost = await makeWritingWorld(app, { files: undefined, emptyRepo: false });
    const { body } = await lost.commit({ actions: [create('x')] }).expect(503);
    const reason = 'The repository is missing on storage default. Please try again later.';
    expect(body).toEqual({ message: `503 Service Unavailable - ${reason}` });
  });
});

describe('a storage that is away', () => {
  it('takes no commit, and gets no new repository in place of the one it holds', async () => {
    const { root } = app.app.get(StorageRegistry).get('default');
    await rename(root, `${root}-away`);
    try {
      await world.commit({ actions: [create('x')] }).expect(503);
    } finally {
      await rename(`${root}-away`, root);
    }
    await world.commit({ actions: [create('back-again')] }).expect(201);
  });
});

describe('last_commit_id', () => {
  it('refuses what others have changed since, and nothing else', async () => {
    const { git } = world;
    await world.commit({ actions: [create('stale', '1'), create('fresh', '1')] }).expect(201);
    const seen = git('rev-parse', 'main');
    const update = (path: string, content: string, more: object = { last_commit_id: seen }) => ({
      actions: [{ action: 'update', file_path: path, content, ...more }],
    });
    await world.commit(update('stale', '2')).expect(201);
    await world.commit(update('fresh', '2')).expect(201);
    for (const more of [{ last_commit_id: seen }, { last_commit_id: 'HEAD' }]) {
      const { body } = await world.commit(update('stale', '3', more)).expect(400);
      const message = 'The file has changed since you started editing it: stale';
      expect(body).toEqual({ message });
    }
    const { body } = await world
      .commit({ actions: [{ action: 'delete', file_path: 'stale', last_commit_id: seen }] })
      .expect(400);
    expect(body).toMatchObject({ message: expect.stringContaining('has changed since') });
  });
});

describe('commits at the same time', () => {
  it('all land on the branch, none is lost', async () => {
    const racing = await makeWritingWorld(app);
    const names = Array.from({ length: 8 }, (_, n) => `race-${n}`);
    const answers = await Promise.all(
      names.map((name) => racing.commit({ actions: [create(`deep/er/${name}`)] })),
    );
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201));
    expect(racing.git('rev-list', '--count', 'main')).toBe('9');
    expect(racing.files().filter((path) => path.includes('race'))).toHaveLength(8);
    const updates = await updatesOf(app, racing.projectId);
    expect(updates).toHaveLength(8);
    const begun = new Set(updates.map(({ oldOid }) => oldOid));
    expect(begun.size).toBe(8);
    expect(await openWrites(app)).toBe(0);
  });

  it('create one file once', async () => {
    const racing = await makeWritingWorld(app);
    const answers = await Promise.all(
      ['1', '2', '3'].map((text) => racing.commit({ actions: [create('only', text)] })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  });
});
