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

/**
 * Creates a tree that expands to ten billion files. Their long paths take memory faster than time,
 * which is limited as well.
 */
async function hugeTree(): Promise<string> {
  let entry = `100644 blob ${await git(['hash-object', '-w', '--stdin'], 'x')}`;
  for (let level = 0; level < 10; level += 1) {
    const lines = Array.from({ length: 10 }, (_, at) => `${entry}\t${String(at).repeat(200)}\n`);
    entry = `040000 tree ${await git(['mktree'], lines.join(''))}`;
  }
  return entry.slice('040000 tree '.length);
}

describe('a comparison that exceeds the memory limit', () => {
  it('is not tried again', async () => {
    const [tree, empty] = [await hugeTree(), await git(['mktree'], '')];
    const overflow = { files: [], isOverflowing: true };
    expect(await diffBetween({ path }, empty, tree)).toEqual(overflow);
    expect(await countChanges({ path }, tree, empty)).toBe(null);
    await rename(path, `${path}-away`);
    expect(await countChanges({ path }, tree, empty)).toBe(null);
    expect(await countChanges({ path }, empty, tree)).toBe(null);
    expect(await diffBetween({ path }, empty, tree)).toEqual(overflow);
    await expect(diffBetween({ path }, tree, empty)).rejects.toThrow();
  });
});
