import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createBareRepository } from '../../git/git-repository.js';
import { commitFiles } from '../../git/git-commit.js';
import { gitOutput, runGit } from '../../git/git-process.js';
import { UPLOAD_PACK_CONFIG } from './git-exchange.js';
import { packetLine } from './packet-lines.js';
import { answerLsRefs, parseLsRefs } from './ls-refs.js';

const author = { name: 'Ada', email: 'ada@example.com', date: new Date() };
const IDENTITY = {
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
};

let root: string;
let path: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'guildhall-refs-'));
  await mkdir(join(root, '+svc', 'tmp'), { recursive: true });
  path = join(root, 'x.git');
  await createBareRepository({ storageRoot: root, path, defaultBranch: 'main' });
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function commit(branch: string): Promise<string> {
  const changes = [{ path: 'a', content: branch }];
  return (await commitFiles(path, { branch, message: branch, author, changes })).oid;
}

async function git(...args: string[]): Promise<void> {
  await gitOutput(args, { cwd: path, env: IDENTITY });
}

function body(...args: string[]): Buffer {
  const lines = args.map((line) => packetLine(`${line}\n`)).join('');
  const head = packetLine('command=ls-refs\n') + packetLine('agent=git/2.39.5');
  return Buffer.from(`${head}${packetLine('object-format=sha1')}0001${lines}0000`);
}

/** Answer of git itself, whose process the handler replaces. */
async function expected(request: Buffer): Promise<string> {
  const { stdout } = await runGit(['upload-pack', '--stateless-rpc', '--strict', '.'], {
    cwd: path,
    input: request,
    env: { GIT_PROTOCOL: 'version=2' },
    config: UPLOAD_PACK_CONFIG,
  });
  return stdout.toString();
}

async function actual(request: Buffer): Promise<string | null> {
  const parsed = parseLsRefs(request);
  if (parsed === null) return null;
  return (await answerLsRefs(path, parsed))?.toString() ?? null;
}

const REQUESTS = [
  [],
  ['peel', 'symrefs', 'unborn'],
  ['peel', 'symrefs', 'ref-prefix HEAD', 'ref-prefix refs/heads/', 'ref-prefix refs/tags/'],
  ['symrefs', 'ref-prefix refs/tags/v'],
  ['peel', 'ref-prefix refs/heads/feature/x', 'ref-prefix H'],
  ['unborn', 'ref-prefix nothing'],
];

async function expectSameAsGit(): Promise<void> {
  for (const args of REQUESTS) {
    const request = body(...args);
    expect(await actual(request)).toBe(await expected(request));
  }
}

describe('ls-refs without a git process answers as git does', () => {
  it('for an empty repository', async () => {
    await expectSameAsGit();
  });

  it('for loose and packed refs, tags of tags, hidden refs and a moved branch', async () => {
    const first = await commit('main');
    await commit('feature/x/y');
    await git('tag', '-a', '-m', 'one', 'v1', first);
    await git('tag', '-a', '-m', 'two', 'v2', 'v1');
    await git('tag', 'light', first);
    await git('update-ref', 'refs/keep-around/1', first);
    await git('update-ref', 'refs/notes/commits', first);
    await expectSameAsGit();
    await git('pack-refs', '--all');
    await expectSameAsGit();
    await commit('main');
    await commit('main-2');
    await git('tag', '-f', '-a', '-m', 'again', 'v1', first);
    await git('update-ref', '-d', 'refs/tags/light');
    await expectSameAsGit();
  });

  it('for a HEAD that names a commit, or a branch that does not exist', async () => {
    const first = await commit('other');
    await expectSameAsGit();
    await git('update-ref', '--no-deref', 'HEAD', first);
    await expectSameAsGit();
  });
});

describe('ls-refs is left to git', () => {
  it('for other commands and for what it does not know', () => {
    const good = body('peel').toString();
    expect(parseLsRefs(Buffer.from(good))).toEqual({
      peel: true,
      symrefs: false,
      unborn: false,
      prefixes: [],
    });
    const others = [
      good.replace('command=ls-refs', 'command=ls-info'),
      good.replace('object-format=sha1', 'object-format=shax'),
      good.replace('peel', 'poll'),
      `${good}0000`,
      good.slice(0, -4),
      good.slice(0, 10),
      'zzzz',
      '',
      '0000',
    ];
    for (const text of others) expect(parseLsRefs(Buffer.from(text))).toBeNull();
  });

  it('when the repository has settings of its own, symbolic refs or tags in packs', async () => {
    const first = await commit('main');
    await git('tag', '-a', '-m', 'one', 'v1', first);
    await git('repack', '-adq');
    expect(await actual(body('peel'))).toBeNull();
    expect(await actual(body())).toBe(await expected(body()));
    await git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
    expect(await actual(body())).toBeNull();
    await git('symbolic-ref', '-d', 'refs/heads/alias');
    await git('config', 'transfer.hideRefs', 'refs/heads');
    expect(await actual(body())).toBeNull();
    await git('config', '--unset', 'transfer.hideRefs');
    await writeFile(join(path, 'refs', 'heads', 'broken'), 'nonsense\n');
    expect(await actual(body())).toBeNull();
  });
});
