import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { type GitSandbox, makeGitSandbox } from '../../../test/support/git.js';
import { processMetrics } from '../../core/metrics/process-metrics.js';
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

/** Returns the number of comparisons that git has finished. */
async function compared(): Promise<number> {
  const registry = new Registry();
  for (const metric of processMetrics) registry.registerMetric(metric);
  const text = await registry.getSingleMetricAsString('guildhall_git_processes_total');
  const counts = text.matchAll(/command="diff-tree".*\} (\d+)/g);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Creates a tree of files by name. */
async function treeOf(files: Record<string, string>): Promise<string> {
  const lines = Object.entries(files).map(async ([name, content]) => {
    const blob = await git(['hash-object', '-w', '--stdin'], content);
    return `100644 blob ${blob}\t${name}\n`;
  });
  return git(['mktree'], (await Promise.all(lines)).join(''));
}

describe('a comparison', () => {
  it('reads changed files and their patch from one git process', async () => {
    const lines = (amount: number): string => 'a line\n'.repeat(amount);
    const before = await treeOf({ 'old name': lines(9), kept: '1', 'gone\u00fc': 'x\n' });
    const after = await treeOf({ 'new name': lines(10), kept: '1', fresh: 'y\n' });
    const processes = await compared();
    const { files, isOverflowing } = await diffBetween({ path }, before, after);
    expect((await compared()) - processes).toBe(1);
    expect(isOverflowing).toBe(false);
    expect(
      files.map(({ oldPath, newPath, additions, deletions, diff }) => [
        ...[oldPath, newPath, additions, deletions],
        diff.split('\n')[0],
      ]),
    ).toEqual([
      ['fresh', 'fresh', 1, 0, '@@ -0,0 +1 @@'],
      ['gone\u00fc', 'gone\u00fc', 0, 1, '@@ -1 +0,0 @@'],
      ['old name', 'new name', 1, 0, '@@ -7,3 +7,4 @@ a line'],
    ]);
    expect(await diffBetween({ path }, after, after)).toEqual({ files: [], isOverflowing: false });
  });

  it('lists the first files of very many, with as much of their patch as is shown', async () => {
    const names = Array.from({ length: 1_200 }, (_, at) => `${'long '.repeat(40)}${at + 1_000}`);
    const many = await treeOf(Object.fromEntries(names.map((name) => [name, 'x\n'])));
    const { files, isOverflowing } = await diffBetween({ path }, many, await treeOf({}));
    expect(files.map(({ oldPath }) => oldPath)).toEqual(names.slice(0, 1_000));
    expect(files.at(-1)).toMatchObject({ deletions: 1, isDeleted: true });
    expect(isOverflowing).toBe(true);
  });
});

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
