import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NEWEST_COMMITS } from '../../src/git/reading/commits.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { type GitSandbox, makeGitSandbox } from '../support/git.js';
import { changeSettings } from '../support/settings.js';
import { makePushing, type StoredPush, storedPushes } from './push-world.js';

let app: TestApp;
let git: GitSandbox;
beforeAll(async () => {
  [app, git] = await Promise.all([sharedTestApp(), makeGitSandbox()]);
});
afterAll(async () => {
  await git.remove();
});

type SetUp = Awaited<ReturnType<typeof setUp>>;

async function setUp(attributes: Parameters<typeof makePushing>[2] = {}) {
  const pushing = await makePushing(app, git, attributes);
  const { directory, project } = pushing;
  return {
    ...pushing,
    commit: (file: string) => git.commit(directory, file, file),
    git: (...args: string[]) => git.run(args, directory),
    push: (...refs: string[]) => git.run(['push', '--quiet', 'origin', ...refs], directory),
    events: () => storedPushes(app, project),
  };
}

/** Returns one key, or several, of each event. */
async function told({ events }: SetUp, ...keys: (keyof StoredPush)[]): Promise<unknown[][]> {
  return (await events()).map((event) => keys.map((key) => event[key]));
}

/** Makes branches or tags here, without pushing them. */
async function make({ git }: SetUp, kind: 'branch' | 'tag', names: readonly string[]) {
  for (const name of names) await git(kind, name);
}

describe('the event of a push', () => {
  it('tells what came to a branch', async () => {
    const pushing = await setUp();
    const from = await pushing.git('rev-parse', 'HEAD');
    await pushing.commit('a.txt');
    const to = await pushing.commit('b.txt');
    await pushing.push('main');
    expect(await pushing.events()).toEqual([
      {
        authorId: pushing.user.id,
        action: 'pushed',
        refType: 'branch',
        ref: 'main',
        from,
        to,
        count: 2,
        title: 'Change b.txt',
        refCount: null,
      },
    ]);
  });

  it('counts more commits than it reads', async () => {
    const pushing = await setUp();
    const tree = await pushing.git('rev-parse', 'HEAD^{tree}');
    let head = await pushing.git('rev-parse', 'HEAD');
    for (let n = 0; n <= NEWEST_COMMITS; n += 1) {
      head = await pushing.git('commit-tree', tree, '-p', head, '-m', `Change ${n}`);
    }
    await pushing.push(`${head}:refs/heads/main`);
    expect(await told(pushing, 'to', 'count', 'title')).toEqual([
      [head, NEWEST_COMMITS + 1, `Change ${NEWEST_COMMITS}`],
    ]);
  });

  it('counts what a new branch has beside the default branch', async () => {
    const pushing = await setUp();
    const to = await pushing.commit('a.txt');
    await pushing.push('HEAD:refs/heads/feature/one');
    await pushing.push('origin/main:refs/heads/same');
    expect(await told(pushing, 'action', 'ref', 'from', 'to', 'count', 'title')).toEqual([
      ['created', 'feature/one', null, to, 1, 'Change a.txt'],
      ['created', 'same', null, expect.any(String), 0, 'Start'],
    ]);
  });

  it('counts all commits of the first push of the default branch', async () => {
    const pushing = await setUp({ empty: true });
    for (const file of ['a', 'b', 'c']) await pushing.commit(file);
    await pushing.git('checkout', '-q', '-b', 'side');
    await pushing.commit('d');
    await pushing.push('main', 'side');
    expect(await told(pushing, 'ref', 'count', 'title')).toEqual([
      ['main', 3, 'Change c'],
      ['side', 1, 'Change d'],
    ]);
  });

  it('counts all commits of a first branch, whatever its name', async () => {
    const pushing = await setUp({ empty: true });
    await pushing.git('checkout', '-q', '-b', 'trunk');
    for (const file of ['a', 'b']) await pushing.commit(file);
    await pushing.push('trunk');
    expect(await told(pushing, 'ref', 'count')).toEqual([['trunk', 2]]);
  });

  it('counts after a forced push what the branch did not have', async () => {
    const pushing = await setUp();
    await pushing.git('checkout', '-q', '-b', 'topic');
    for (const file of ['a', 'b', 'c']) await pushing.commit(file);
    await pushing.push('topic');
    await pushing.git('reset', '-q', '--hard', 'HEAD~2');
    await pushing.commit('d');
    await pushing.push('--force', 'topic');
    await pushing.git('reset', '-q', '--hard', 'HEAD~1');
    await pushing.push('--force', 'topic');
    expect(await told(pushing, 'action', 'count', 'title')).toEqual([
      ['created', 3, 'Change c'],
      ['pushed', 1, 'Change d'],
      ['pushed', 0, 'Change a'],
    ]);
  });

  it('says of a removed branch where it was', async () => {
    const pushing = await setUp();
    const from = await pushing.commit('a.txt');
    await pushing.push('HEAD:side');
    await pushing.push(':side');
    expect((await pushing.events())[1]).toEqual({
      authorId: pushing.user.id,
      action: 'removed',
      refType: 'branch',
      ref: 'side',
      from,
      to: null,
      count: 0,
      title: null,
      refCount: null,
    });
  });

  it('names tags, with the title of their commit', async () => {
    const pushing = await setUp();
    const head = await pushing.git('rev-parse', 'HEAD');
    await pushing.git('tag', 'v1');
    await pushing.git('tag', '-a', '-m', 'Second version', 'v2');
    await pushing.push('v1', 'v2');
    await pushing.push(':v1');
    await pushing.commit('a');
    await pushing.git('tag', '-f', '-a', '-m', 'Moved', 'v2');
    await pushing.push('--force', 'v2');
    expect(await told(pushing, 'refType', 'action', 'ref', 'count', 'title')).toEqual([
      ['tag', 'created', 'v1', 1, 'Start'],
      ['tag', 'created', 'v2', 1, 'Start'],
      ['tag', 'removed', 'v1', 0, null],
      ['tag', 'pushed', 'v2', 1, 'Change a'],
    ]);
    expect((await pushing.events())[0]).toMatchObject({ from: null, to: head });
  });

  it('is there for a tag that names no commit', async () => {
    const pushing = await setUp();
    await pushing.git('tag', 'readme', 'HEAD:README.md');
    await pushing.git('tag', 'tree', 'HEAD^{tree}');
    await pushing.push('readme', 'tree');
    expect(await told(pushing, 'ref', 'count', 'title')).toEqual([
      ['readme', 1, null],
      ['tree', 1, null],
    ]);
  });

  it('leaves out other refs', async () => {
    const pushing = await setUp();
    await pushing.push('HEAD:refs/notes/commits', 'HEAD:refs/anything/else');
    expect(await pushing.events()).toEqual([]);
  });
});

describe('the title of a push event', () => {
  async function titleOf(message: Buffer | string, ...args: string[]): Promise<unknown> {
    const pushing = await setUp();
    const file = `${git.path}/${pushing.directory}/.git/message`;
    await writeFile(file, message);
    const commit = ['commit', '-q', '--allow-empty', '--allow-empty-message', '-F', file];
    await pushing.git(...args, ...commit);
    await pushing.push('main');
    return (await pushing.events())[0]?.title;
  }

  it('has 70 characters of a longer line, dots included', async () => {
    const title = await titleOf(`${'x'.repeat(80)}\n\nBody`);
    expect(title).toBe(`${'x'.repeat(67)}...`);
  });

  it('is the first line even of a paragraph', async () => {
    expect(await titleOf('First line\nsecond line\n')).toBe('First line');
  });

  it('is truncated for a line of nearly a megabyte', async () => {
    expect(await titleOf('ü'.repeat(500_000))).toBe(`${'ü'.repeat(67)}...`);
  });

  it('is empty when the message is', async () => {
    expect(await titleOf('')).toBe('');
  });

  it('shows bytes that are no UTF-8 as such', async () => {
    const pushing = await setUp();
    const head = await pushing.git('cat-file', 'commit', 'HEAD');
    const file = `${git.path}/${pushing.directory}/.git/raw`;
    const headers = head.slice(0, head.indexOf('\n\n') + 2);
    // Not by `git commit`, which converts them.
    await writeFile(file, Buffer.from(`${headers}a\xffb`, 'latin1'));
    const oid = await pushing.git('hash-object', '-t', 'commit', '-w', file);
    await pushing.push(`${oid}:refs/heads/raw`);
    expect(await told(pushing, 'count', 'title')).toEqual([[1, 'a\ufffdb']]);
  });

  it('is converted from the encoding that the commit names', async () => {
    const message = Buffer.from('caf\xe9', 'latin1');
    expect(await titleOf(message, '-c', 'i18n.commitEncoding=ISO-8859-1')).toBe('café');
  });
});

describe('a push of several refs', () => {
  it('leaves one event for each while they are few', async () => {
    const pushing = await setUp();
    await make(pushing, 'branch', ['b1', 'b2', 'b3']);
    await pushing.push('b1', 'b2', 'b3');
    expect(await told(pushing, 'ref', 'refCount')).toEqual([
      ['b1', null],
      ['b2', null],
      ['b3', null],
    ]);
  });

  it('leaves one event for many that are alike, beside those of others', async () => {
    const pushing = await setUp();
    await make(pushing, 'branch', ['b1', 'b2', 'b3', 'b4']);
    await make(pushing, 'tag', ['v1']);
    await pushing.push('b1', 'b2', 'b3', 'b4', 'v1');
    const nothing = { ref: null, from: null, to: null, count: 0, title: null };
    const by = { authorId: pushing.user.id, action: 'created' };
    expect(await pushing.events()).toEqual([
      { ...by, refType: 'branch', ...nothing, refCount: 4 },
      expect.objectContaining({ ...by, refType: 'tag', ref: 'v1', count: 1, refCount: null }),
    ]);
    await pushing.push(':b1', ':b2', ':b3', ':b4');
    expect((await pushing.events())[2]).toEqual({
      ...by,
      action: 'removed',
      refType: 'branch',
      ...nothing,
      refCount: 4,
    });
  });

  it('is combined above the configured limit', async () => {
    const pushing = await setUp();
    await make(pushing, 'branch', ['b1', 'b2', 'b3', 'b4']);
    try {
      await changeSettings(app, { push_event_activities_limit: 4 });
      await pushing.push('b1', 'b2', 'b3', 'b4');
      await changeSettings(app, { push_event_activities_limit: 0 });
      await pushing.push('HEAD:single');
    } finally {
      await changeSettings(app, { push_event_activities_limit: 3 });
    }
    expect(await told(pushing, 'ref', 'refCount')).toEqual([
      ['b1', null],
      ['b2', null],
      ['b3', null],
      ['b4', null],
      [null, 1],
    ]);
  });
});
