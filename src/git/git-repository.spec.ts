import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { commitFiles, CommitConflictError, writeFirstCommit } from './git-commit.js';
import { GitProcessError, gitEnvironment, gitOutput, runGit } from './git-process.js';
import {
  headBranch,
  listFiles,
  listReferences,
  readBlob,
  resolveCommit,
  setHeadBranch,
  bareRepositoryExists,
  createBareRepository,
} from './git-repository.js';

const author = {
  name: 'Ada <L>',
  email: 'ada@example.com',
  date: new Date('2024-02-03T04:05:06Z'),
};
let root: string;
let path: string;

function git(...args: string[]): string {
  return execFileSync('git', ['-C', path, ...args], { encoding: 'utf8', env: gitEnvironment() });
}

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'guildhall-git-'));
  await mkdir(join(root, '+svc', 'tmp'), { recursive: true });
  path = join(root, '@hashed', 'aa', 'bb', 'x.git');
});

afterEach(() => rm(root, { recursive: true, force: true }));

describe('createBareRepository', () => {
  it('makes what git takes for an empty bare repository', async () => {
    await createBareRepository({ storageRoot: root, path, defaultBranch: 'main' });
    expect(git('rev-parse', '--is-bare-repository').trim()).toBe('true');
    expect(git('symbolic-ref', 'HEAD').trim()).toBe('refs/heads/main');
    expect(git('fsck', '--full')).toBe('');
    expect(await listReferences(path)).toEqual([]);
    expect(await bareRepositoryExists(path)).toBe(true);
  });

  it('refuses to replace a repository and leaves nothing behind', async () => {
    await createBareRepository({ storageRoot: root, path, defaultBranch: 'main' });
    await writeFile(join(path, 'description'), 'mine');
    const again = createBareRepository({ storageRoot: root, path, defaultBranch: 'main' });
    await expect(again).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readdir(join(root, '+svc', 'tmp'))).toEqual([]);
  });

  it('removes what it built when filling it fails', async () => {
    const fill = (): Promise<void> => Promise.reject(new Error('no'));
    const create = createBareRepository({ storageRoot: root, path, defaultBranch: 'main', fill });
    await expect(create).rejects.toThrow('no');
    expect(await bareRepositoryExists(path)).toBe(false);
    expect(await readdir(join(root, '+svc', 'tmp'))).toEqual([]);
  });
});

describe('commits', () => {
  beforeEach(async () => {
    await createBareRepository({
      storageRoot: root,
      path,
      defaultBranch: 'main',
      fill: async (temporary) => {
        await writeFirstCommit(temporary, {
          branch: 'main',
          message: 'Start',
          author,
          changes: [
            { path: 'README.md', content: '# Hello\n' },
            { path: 'a/b.txt', content: 'b' },
            { path: 'a.txt', content: 'ä' },
          ],
        });
      },
    });
  });

  it('writes a first commit that git fully accepts', async () => {
    expect(git('fsck', '--full', '--strict')).toBe('');
    expect(git('log', '--format=%an|%ae|%aI|%s', 'main').trim()).toBe(
      'Ada  L|ada@example.com|2024-02-03T04:05:06+00:00|Start',
    );
    const head = await resolveCommit(path, 'main');
    const files = await listFiles(path, head ?? '');
    expect(files.map((file) => file.path)).toEqual(['README.md', 'a.txt', 'a/b.txt']);
    expect((await readBlob(path, head ?? '', 'a.txt'))?.toString()).toBe('ä');
    expect(await readBlob(path, head ?? '', 'none')).toBeNull();
  });

  it('creates, updates, moves and deletes in one commit on top', async () => {
    const before = await resolveCommit(path, 'main');
    const commit = await commitFiles(path, {
      branch: 'main',
      message: 'Second',
      author,
      changes: [
        { path: 'README.md', content: 'new' },
        { path: 'c/moved.txt', previousPath: 'a/b.txt' },
        { path: 'a.txt', content: null },
        { path: 'made.txt', content: '' },
      ],
    });
    expect(commit.parent).toBe(before);
    expect(git('ls-tree', '-r', '--name-only', 'main').split('\n')).toEqual([
      'README.md',
      'c/moved.txt',
      'made.txt',
      '',
    ]);
    expect(git('fsck', '--full', '--strict')).toBe('');
    expect(git('show', 'main:c/moved.txt')).toBe('b');
    expect(git('rev-parse', 'main').trim()).toBe(commit.oid);
  });

  it('takes away or moves what an earlier change put where a file still stands', async () => {
    await commitFiles(path, {
      branch: 'main',
      message: 'x',
      author,
      changes: [
        { path: 'x', content: 'x' },
        { path: 'x/gone', content: 'g' },
        { path: 'x/moved', content: 'm' },
        { path: 'x/gone', content: null },
        { path: 'y', previousPath: 'x/moved' },
      ],
    });
    expect(git('ls-tree', '-r', '--name-only', 'main')).toMatch(/^x\ny$/m);
    expect(git('show', 'main:y')).toBe('m');
  });

  it('refuses changes to files that are not there, and a file used as a directory', async () => {
    const base = { branch: 'main', message: 'x', author };
    const refused = [
      [{ path: 'none', content: null }],
      [{ path: 'new', previousPath: 'none' }],
      [{ path: 'a.txt/inner', content: 'x' }],
    ];
    for (const changes of refused) {
      await expect(commitFiles(path, { ...base, changes })).rejects.toThrow(CommitConflictError);
    }
  });

  it.each(['../x', '/etc/passwd', '.git/config', 'a/.GIT/x', 'git~1/x', 'a//b', 'x\0', ''])(
    'refuses the path %j',
    async (bad) => {
      const changes = [{ path: bad, content: 'x' }];
      const commit = commitFiles(path, { branch: 'main', message: 'x', author, changes });
      await expect(commit).rejects.toThrow(RangeError);
    },
  );

  it('reads and sets the branch of HEAD under any name', async () => {
    await setHeadBranch(path, 'feature/x');
    expect(await headBranch(path)).toBe('feature/x');
    await expect(setHeadBranch(path, '--help')).rejects.toThrow(RangeError);
  });

  it('takes a revision that looks like an option for a name', async () => {
    expect(await resolveCommit(path, '--all')).toBeNull();
    expect(await resolveCommit(path, 'nope')).toBeNull();
  });
});

describe('runGit', () => {
  it('kills a run that is aborted, stalls or writes too much', async () => {
    const wait = ['-c', 'alias.wait=!sleep 60', 'wait'];
    const aborted = runGit(wait, { signal: AbortSignal.timeout(50) });
    await expect(aborted).rejects.toThrow(GitProcessError);
    await expect(runGit(wait, { stallMs: 50 })).rejects.toThrow('stalled');
    const loud = runGit(['-c', 'alias.loud=!yes', 'loud'], { maxOutput: 1000 });
    await expect(loud).rejects.toThrow('too much output');
  });

  it('does not block on a full stderr', async () => {
    const noise = '!head -c 1000000 /dev/zero >&2';
    const { code, stderr } = await runGit(['-c', `alias.noise=${noise}`, 'noise']);
    expect(code).toBe(0);
    expect(stderr.length).toBeLessThanOrEqual(8192);
  });

  it('ignores programs that the repository configures', async () => {
    await createBareRepository({ storageRoot: root, path, defaultBranch: 'main' });
    const config = `[core]\n\tbare = true\n\trepositoryformatversion = 0\n\tfsmonitor = touch ${root}/pwned\n\thooksPath = ${root}\n`;
    await writeFile(join(path, 'config'), config);
    expect((await gitOutput(['config', 'core.hooksPath'], { cwd: path })).toString()).toBe(
      '/dev/null\n',
    );
    expect((await gitOutput(['config', 'core.fsmonitor'], { cwd: path })).toString()).toBe(
      'false\n',
    );
  });
});
