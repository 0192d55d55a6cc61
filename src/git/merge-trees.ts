import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GitConfiguration, GitProcessError, runGit } from './git-process.js';
import { MEMORY } from './memory-limit.js';
import { mergeBase } from './reading/commits.js';
import { isObjectId } from './reference-name.js';

/** Two commits, by object id. */
interface MergeSides {
  into: string;
  from: string;
}

/** The tree of the result, or the paths that both sides changed in ways that exclude each other. */
export type MergedTree = { tree: string } | { conflicts: string[] };

const TIME_LIMIT_MS = 15_000;
const MAX_OUTPUT = 8 * 1024 * 1024;
const MAX_CONFLICTS = 1_000;

/** The same for trying and merging: both must come to the same result. */
const CONFIG = { 'merge.renameLimit': '1000', 'core.bigFileThreshold': '16m' };

interface MergeRun {
  config?: GitConfiguration;
  env?: Record<string, string>;
  signal?: AbortSignal;
}

/**
 * Merges without a work tree and leaves the result's objects in the repository: only under a write
 * lease. Throws GitProcessError for what git cannot merge, and after 15 seconds.
 */
function mergeTrees(repository: string, sides: MergeSides): Promise<MergedTree> {
  return runMerge(repository, sides, { signal: AbortSignal.timeout(TIME_LIMIT_MS) });
}

/**
 * Returns the merge base of the commits, null without common history, and how `mergeTrees` ended. Git
 * computes both at once, as most merges need both; both have ended when this returns.
 */
export async function mergeFromBase(
  repository: string,
  sides: MergeSides,
): Promise<{ base: string | null; merged: PromiseSettledResult<MergedTree> }> {
  const [base, merged] = await Promise.allSettled([
    mergeBase({ path: repository }, [sides.from, sides.into]),
    mergeTrees(repository, sides),
  ]);
  if (base.status === 'rejected') throw base.reason;
  return { base: base.value, merged };
}

/**
 * Returns the result of `mergeTrees` without writing to the repository; needs no lease. Throws
 * GitProcessError after `limitMs`.
 */
export async function tryMergeTrees(
  repository: string,
  sides: MergeSides,
  limitMs: number,
): Promise<MergedTree> {
  const objects = await mkdtemp(join(tmpdir(), 'guildhall-merge-'));
  const present = join(repository, 'objects').replace(/["\\]/g, '\\$&');
  try {
    return await runMerge(repository, sides, {
      env: { GIT_OBJECT_DIRECTORY: objects, GIT_ALTERNATE_OBJECT_DIRECTORIES: `"${present}"` },
      config: { 'core.fsync': 'none' },
      signal: AbortSignal.timeout(limitMs),
    });
  } finally {
    await rm(objects, { recursive: true, force: true });
  }
}

async function runMerge(
  repository: string,
  { into, from }: MergeSides,
  { config, ...options }: MergeRun,
): Promise<MergedTree> {
  if (!isObjectId(into) || !isObjectId(from)) throw new RangeError('Not an object id');
  const flags = ['--write-tree', '-z', '--name-only', '--no-messages'];
  const { code, stdout, stderr } = await runGit(['merge-tree', ...flags, into, from], {
    ...options,
    cwd: repository,
    config: { ...CONFIG, ...config },
    memory: MEMORY.reading,
    maxOutput: MAX_OUTPUT,
  });
  const [tree = '', ...paths] = stdout.toString('utf8').split('\0');
  // A bad revision ends with 1 as well, but without a tree.
  if (code > 1 || !isObjectId(tree)) {
    throw new GitProcessError(`git merge-tree exited with ${code}: ${stderr}`);
  }
  if (code === 0) return { tree };
  const conflicts = [...new Set(paths)].filter((path) => path !== '');
  return { conflicts: conflicts.slice(0, MAX_CONFLICTS) };
}
