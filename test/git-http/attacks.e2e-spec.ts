import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { gitOutput, runGit } from '../../src/git/git-process.js';
import { listReferences } from '../../src/git/git-repository.js';
import { sharedTestApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { makeToken } from '../support/factories.js';
import { type GitSandbox, makeGitSandbox } from '../support/git.js';
import { makePack, pushBody, type RawPush, SlowPush } from './raw-push.js';
import {
  cloneUrl,
  makeMember,
  makeProject,
  type MadeProject,
  openWrites,
  raw,
  recordedUpdates,
} from './world.js';

const ZERO = '0'.repeat(40);

let app: TestApp;
let git: GitSandbox;
beforeAll(async () => {
  [app, git] = await Promise.all([sharedTestApp(), makeGitSandbox()]);
});
afterAll(async () => {
  await git.remove();
});

async function head(directory: string): Promise<string> {
  return (await gitOutput(['rev-parse', 'main'], { cwd: directory })).toString().trim();
}

/** Pushes existing objects under the given names, without a Git client's own checks. */
async function pushRaw(project: MadeProject, refs: string[], token: string): Promise<string> {
  const newOid = await head(project.directory);
  const pack = await makePack(project.directory, newOid, newOid);
  const pushes: RawPush[] = refs.map((ref, index) => {
    return { ref, oldOid: ZERO, newOid, pack: index === 0 ? pack : Buffer.alloc(0) };
  });
  const push = new SlowPush(app, project.fullPath, token);
  push.write(pushBody(...pushes));
  push.end();
  const answer = await push.answer();
  expect(answer.status).toBeLessThan(500);
  return answer.body;
}

describe('ref names', () => {
  it.each([
    'refs/heads/../../../etc/passwd',
    'refs/heads/a..b',
    'refs/heads/a~1',
    'refs/heads/a b',
    'refs/heads/a\nb',
    'refs/heads/a.lock',
    'refs/heads/-x',
    'refs/heads/--upload-pack=touch x',
    'refs/tags/-d',
    '/refs/heads/a',
    'HEAD',
    'config',
    '../../x.git/HEAD',
    `refs/heads/${'a'.repeat(40)}`,
    `refs/heads/${'a'.repeat(65_000)}`,
  ])('like %.40j are refused', async (ref) => {
    const project = await makeProject(app);
    const token = await makeToken(app, project.owner);
    const before = await readdir(project.directory);
    const answer = await pushRaw(project, [ref], token);
    expect(answer).not.toContain(`ok ${ref}`);
    expect(await listReferences(project.directory)).toHaveLength(1);
    expect(await readdir(project.directory)).toEqual(before);
    expect(await recordedUpdates(app, project.id)).toEqual([]);
  });

  it('of our own are not written by clients', async () => {
    const project = await makeProject(app);
    const token = await makeToken(app, project.owner);
    const answer = await pushRaw(project, ['refs/keep-around/1'], token);
    expect(answer).toContain('deny updating a hidden ref');
    expect(await recordedUpdates(app, project.id)).toEqual([]);
  });

  it('2,000 at once are all taken and all recorded', async () => {
    const project = await makeProject(app);
    const { token } = await makeMember(app, project, 'developer');
    const refs = Array.from({ length: 2000 }, (_, index) => `refs/heads/many/${index}`);
    const answer = await pushRaw(project, refs, token);
    expect(answer).toContain('ok refs/heads/many/1999');
    expect(await recordedUpdates(app, project.id)).toHaveLength(2000);
  });
});

describe('pushed replacements of objects', () => {
  it('do not change what the server reads', async () => {
    const project = await makeProject(app);
    const { token } = await makeMember(app, project, 'developer');
    const commit = await head(project.directory);
    const tree = await gitOutput(['mktree'], { cwd: project.directory, input: '' });
    const args = ['commit-tree', '-m', 'Fake', tree.toString().trim()];
    const env = Object.fromEntries(
      ['AUTHOR', 'COMMITTER'].flatMap((who) => [
        [`GIT_${who}_NAME`, 'x'],
        [`GIT_${who}_EMAIL`, 'x@example.com'],
      ]),
    );
    const fake = (await gitOutput(args, { cwd: project.directory, env })).toString().trim();
    await runGit(['update-ref', `refs/replace/${commit}`, fake], { cwd: project.directory });
    await git.run(['clone', '--quiet', cloneUrl(app, project.fullPath, token), 'replaced']);
    expect(await git.run(['log', '--format=%s'], 'replaced')).toBe('Start');
  });
});

describe('a hostile repository configuration', () => {
  it('runs nothing, neither for a clone nor for a push', async () => {
    const project = await makeProject(app);
    const { token } = await makeMember(app, project, 'maintainer');
    const trap = join(git.path, 'trap');
    await writeFile(trap, `#!/bin/sh\ntouch '${git.path}/sprung'\nexit 0\n`);
    await chmod(trap, 0o755);
    await writeFile(join(git.path, 'included'), `[core]\n\tfsmonitor = ${trap}\n`);
    for (const hook of ['pre-receive', 'update', 'post-receive', 'reference-transaction']) {
      await mkdir(join(project.directory, 'hooks'), { recursive: true });
      await writeFile(join(project.directory, 'hooks', hook), `#!/bin/sh\n${trap}\n`);
      await chmod(join(project.directory, 'hooks', hook), 0o755);
    }
    const config = [
      `[core]\n\tbare = true\n\trepositoryformatversion = 0\n\thooksPath = ${project.directory}/hooks`,
      `\tfsmonitor = ${trap}\n\tsshCommand = ${trap}\n\talternateRefsCommand = ${trap}`,
      `\tpager = ${trap}\n\teditor = ${trap}\n\taskPass = ${trap}\n\tgitProxy = ${trap}`,
      `[uploadpack]\n\tpackObjectsHook = ${trap}`,
      `[receive]\n\tautogc = true`,
      `[gc]\n\tauto = 1`,
      `[include]\n\tpath = ${git.path}/included`,
      `[diff]\n\texternal = ${trap}`,
      `[filter "x"]\n\tclean = ${trap}\n\tsmudge = ${trap}`,
      `[gpg]\n\tprogram = ${trap}`,
      `[remote "origin"]\n\turl = ext::${trap}\n\tpromisor = true\n\tuploadpack = ${trap}`,
      `[protocol]\n\tallow = always\n[protocol "ext"]\n\tallow = always`,
    ].join('\n');
    await writeFile(join(project.directory, 'config'), `${config}\n`);
    await git.run(['clone', '--quiet', cloneUrl(app, project.fullPath, token), 'hostile']);
    await git.commit('hostile', 'a.txt', 'a');
    await git.run(['push', '--quiet', 'origin', 'HEAD:feature'], 'hostile');
    expect(await readdir(git.path)).not.toContain('sprung');
  });
});

describe('a damaged or dangerous pack', () => {
  it('is refused and leaves nothing behind', async () => {
    const project = await makeProject(app);
    const token = await makeToken(app, project.owner);
    const newOid = '1'.repeat(40);
    const push = new SlowPush(app, project.fullPath, token);
    push.write(
      pushBody({ ref: 'refs/heads/x', oldOid: ZERO, newOid, pack: Buffer.from('PACK???') }),
    );
    push.end();
    expect((await push.answer()).body).not.toContain('ok refs/heads/x');
    const objects = await readdir(join(project.directory, 'objects'));
    expect(objects.filter((name) => name.startsWith('tmp_') || name.includes('incoming'))).toEqual(
      [],
    );
  });

  it('with a tree that would write into .git is refused', async () => {
    const project = await makeProject(app);
    const { token } = await makeMember(app, project, 'maintainer');
    await git.run(['clone', '--quiet', cloneUrl(app, project.fullPath, token), 'evil']);
    const blob = await git.run(['hash-object', '-w', '--stdin', '--literally'], 'evil');
    const { stdout: tree } = await runGit(['mktree'], {
      cwd: join(git.path, 'evil'),
      input: `100644 blob ${blob}\t.GIT\n`,
    });
    const commit = await git.run(['commit-tree', '-m', 'Evil', tree.toString().trim()], 'evil');
    const { code, stderr } = await git.try(['push', 'origin', `${commit}:refs/heads/evil`], 'evil');
    expect(code).not.toBe(0);
    expect(stderr).toContain('hasDotgit');
    expect(await listReferences(project.directory)).toHaveLength(1);
  });
});

describe('paths in URLs', () => {
  it.each([
    '/../../etc/passwd.git/info/refs?service=git-upload-pack',
    '/%2e%2e/%2e%2e/x.git/info/refs?service=git-upload-pack',
    '/a/%2Fetc%2Fx.git/info/refs?service=git-upload-pack',
    '/--upload-pack=touch/x.git/info/refs?service=git-upload-pack',
    '/@hashed/6b/86/x.git/info/refs?service=git-upload-pack',
    '/a/b;c.git/info/refs?service=git-upload-pack',
    `/${'a/'.repeat(400)}b.git/info/refs?service=git-upload-pack`,
    '/snippets/99999999999999999999.git/info/refs?service=git-upload-pack',
  ])('never reach the disk: %.60s', async (path) => {
    expect((await raw(app, path)).status).toBe(401);
  });
});

describe('a silent push', () => {
  /** The test decides when a minute is over. */
  beforeEach(() => {
    const doNotFake = [
      ...(['Date', 'hrtime', 'performance', 'nextTick', 'queueMicrotask'] as const),
      ...(['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const),
    ];
    jest.useFakeTimers({ doNotFake });
  });
  afterEach(() => void jest.useRealTimers());

  /** Begins a push, of which `length` bytes arrive. */
  async function begin(project: MadeProject, length: number): Promise<SlowPush> {
    const token = await makeToken(app, project.owner);
    const newOid = await head(project.directory);
    const pack = await makePack(project.directory, newOid, newOid);
    const push = new SlowPush(app, project.fullPath, token);
    const body = pushBody({ ref: 'refs/heads/x', oldOid: ZERO, newOid, pack });
    const watched = jest.getTimerCount();
    push.write(body.subarray(0, length));
    await eventually(() => jest.getTimerCount() > watched);
    return push;
  }

  it.each([
    ['in the middle of its pack', -10],
    ['before it has named its refs', 20],
  ])('holds its process and its lease for two minutes at most: %s', async (_, length) => {
    const project = await makeProject(app);
    const before = await openWrites(app);
    const push = await begin(project, length);
    const answer = push.answer();
    if (length < 0) await eventually(async () => (await openWrites(app)) === before + 1);
    jest.advanceTimersByTime(120_000);
    const { status, headers, body } = await answer;
    expect([status, headers.connection, body]).toEqual([
      408,
      'close',
      'The request did not arrive in time.',
    ]);
    await eventually(async () => (await openWrites(app)) === before);
    expect(await listReferences(project.directory)).toHaveLength(1);
  });
});
