import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { makeWritingWorld, type WritingWorld } from './writing-world.js';

let app: TestApp;
let world: WritingWorld;

beforeAll(async () => {
  app = await sharedTestApp();
  world = await makeWritingWorld(app);
});

const place = (path: string): string => `${world.base}/files/${encodeURIComponent(path)}`;
const say = (content: string, more: object = {}) => ({
  branch: 'main',
  commit_message: 'Change',
  content,
  ...more,
});

describe('…/repository/files/:file_path', () => {
  it('creates, changes and deletes a file, each time by a commit', async () => {
    const { git, owner } = world;
    const path = 'docs/ä b.txt';
    const made = await owner.api
      .post(place(path), say('AAEC', { encoding: 'base64', author_name: 'Grace' }))
      .expect(201);
    expect(made.body).toEqual({ file_path: path, branch: 'main' });
    expect(git('cat-file', '-s', `main:${path}`)).toBe('3');
    const changed = await owner.api
      .put(place(path), say('text', { execute_filemode: true }))
      .expect(200);
    expect(changed.body).toEqual({ file_path: path, branch: 'main' });
    expect(git('show', `main:${path}`)).toBe('text');
    expect(git('ls-tree', 'main', path)).toMatch(/^100755/);
    const removal = { branch: 'main', commit_message: 'Remove' };
    await owner.api.delete(place(path), removal).expect(204);
    expect(world.files()).toEqual(['README.md', 'src/a.txt']);
    expect(git('log', '-3', '--format=%an: %s')).toBe(
      [`${owner.user.name}: Remove`, `${owner.user.name}: Change`, 'Grace: Change'].join('\n'),
    );
  });

  it('makes a branch for the change, with an empty file if it is to be empty', async () => {
    const developer = await world.member('developer');
    const body = say('', { branch: 'side', start_branch: 'main' });
    await developer.api.post(place('empty'), body).expect(201);
    expect(world.files('side')).toEqual(['README.md', 'empty', 'src/a.txt']);
    await developer.api.post(place('other'), say('x')).expect(403);
  });

  it('refuses in the words of v4 what is there already, not there, or changed since', async () => {
    const { git, owner } = world;
    const seen = git('rev-parse', 'main');
    await owner.api.put(place('README.md'), say('2', { last_commit_id: seen })).expect(200);
    const before = git('rev-parse', 'main');
    const cases = [
      ['post', 'README.md', {}, 'A file with this name already exists'],
      ['put', 'none', {}, "A file with this name doesn't exist"],
      ['delete', 'none', {}, "A file with this name doesn't exist"],
      [
        'put',
        'README.md',
        { last_commit_id: seen },
        'You are attempting to update a file that has changed since you started editing it.',
      ],
      [
        'delete',
        'README.md',
        { last_commit_id: seen },
        'You are attempting to delete a file that has been previously updated.',
      ],
    ] as const;
    for (const [method, path, more, message] of cases) {
      const { body } = await owner.api[method](place(path), say('3', more)).expect(400);
      expect(body).toEqual({ message });
    }
    expect(git('rev-parse', 'main')).toBe(before);
  });

  it('names what is missing, and no path that would leave a work tree', async () => {
    const { owner } = world;
    const missing = await owner.api.post(place('x'), {}).expect(400);
    expect(missing.body).toEqual({
      message:
        '400 (Bad request) "branch" not given, "commit_message" not given, "content" not given',
      error: 'branch is missing, commit_message is missing, content is missing',
    });
    for (const path of ['.git/config', '../x', 'a//b', '/x', 'a\\b', 'git~1/x']) {
      const { body } = await owner.api.post(place(path), say('x')).expect(400);
      expect(body).toMatchObject({ error: 'file_path should be a valid file path' });
      await owner.api.delete(place(path), say('')).expect(400);
    }
    await owner.api.put(place('README.md'), say('?', { encoding: 'base64' })).expect(400);
    await owner.api.put(place('README.md'), say('x', { encoding: 'rot13' })).expect(400);
  });

  it('keeps to If-Unmodified-Since by when the file was last committed', async () => {
    const { owner } = world;
    const headers = { 'If-Unmodified-Since': 'Wed, 01 Jan 2020 00:00:00 GMT' };
    await owner.api.put(place('src/a.txt'), say('b')).set(headers).expect(412);
    await owner.api.delete(place('src/a.txt'), say('')).set(headers).expect(412);
    const later = { 'If-Unmodified-Since': new Date(Date.now() + 60_000).toUTCString() };
    await owner.api.put(place('src/a.txt'), say('b')).set(later).expect(200);
  });

  it('turns a link whose content is written into a file, and touches nothing behind it', async () => {
    const linked = await makeWritingWorld(app);
    const { git, owner, base } = linked;
    linked.addEntries(`120000 blob ${git('rev-parse', 'main:README.md')}\tlink`);
    await owner.api.put(`${base}/files/link`, say('content')).expect(200);
    expect(git('ls-tree', 'main', 'link')).toMatch(/^100644/);
    expect(git('show', 'main:README.md')).toBe('# Hello');
  });
});
