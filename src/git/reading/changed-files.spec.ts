import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitSandbox, makeGitSandbox } from '../../../test/support/git.js';
import { gitOutput } from '../git-process.js';
import { countChanges } from './changed-files.js';
import { diffBetween } from './diffs.js';

let sandbox: GitSandbox;
let path: string;

beforeAll(async () => {
  sandbox = await makeGitSandbox();
  await sandbox.run(['init', '-q', '--bare', 'bare.git']);
  path = join(sandbox.path, 'bare.git');
});
afterAll(() => sandbox.remove());

async function git(args: string[], input: string): Promise<string> {
  return (await gitOutput(args, { cwd: path, input })).toString().trim();
}

/** Creates a tree with these files; those that begin with an arrow are links. */
async function treeOf(files: Record<string, string>): Promise<string> {
  const lines = await Promise.all(
    Object.entries(files).map(async ([name, content]) => {
      const mode = content.startsWith('->') ? '120000' : '100644';
      return `${mode} blob ${await git(['hash-object', '-w', '--stdin'], content)}\t${name}\n`;
    }),
  );
  return git(['mktree'], lines.join(''));
}

describe('the number of changed files', () => {
  it('is that of the diff, renames included', async () => {
    const text = Array.from({ length: 60 }, (_, at) => `line ${at}\n`).join('');
    const before = await treeOf({ a: text, b: 'b', c: 'c', d: 'd', e: 'e' });
    const after = await treeOf({ ':a2': `${text}end\n`, b: 'other', c: '-> b', d2: 'd', e: 'e' });
    // Renamed and edited, edited, a file that became a link, renamed.
    const count = 1 + 1 + 2 + 1;
    expect(await countChanges({ path }, before, after)).toBe(count);
    expect((await diffBetween({ path }, before, after)).files).toHaveLength(count);
  });

  it('is at most a thousand', async () => {
    const blob = await git(['hash-object', '-w', '--stdin'], 'x');
    const lines = Array.from({ length: 1_001 }, (_, at) => `100644 blob ${blob}\tf${at}\n`);
    const many = await git(['mktree'], lines.join(''));
    expect(await countChanges({ path }, await treeOf({}), many)).toBe(1_000);
  });

  it('is known once the diff has been read', async () => {
    const [before, after] = [await treeOf({ a: 'a' }), await treeOf({ a: 'a', b: 'b' })];
    await diffBetween({ path }, before, after);
    await rename(path, `${path}-away`);
    expect(await countChanges({ path }, before, after)).toBe(1);
    await rename(`${path}-away`, path);
  });
});
