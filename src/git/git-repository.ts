import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TreeFile } from './git-objects.js';
import { gitOutput, runGit } from './git-process.js';
import { BRANCH_PREFIX, isObjectId, isValidBranchName } from './reference-name.js';

export interface Reference {
  name: string;
  oid: string;
}

/** All refs but HEAD, sorted by name. */
export async function listReferences(repository: string): Promise<Reference[]> {
  const args = ['for-each-ref', '--format=%(objectname) %(refname)'];
  const output = await gitOutput(args, { cwd: repository });
  return output
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const space = line.indexOf(' ');
      return { oid: line.slice(0, space), name: line.slice(space + 1) };
    });
}

/** The branch that HEAD names, whether or not it exists; null when HEAD names a commit. */
export async function headBranch(repository: string): Promise<string | null> {
  const head = await readFile(join(repository, 'HEAD'), 'utf8');
  const match = /^ref:\s*refs\/heads\/(.+)$/.exec(head.trimEnd());
  return match?.[1] ?? null;
}

/** Lets HEAD name a branch. */
export async function setHeadBranch(repository: string, branch: string): Promise<void> {
  if (!isValidBranchName(branch)) throw new RangeError(`Bad branch name: ${branch}`);
  await gitOutput(['symbolic-ref', 'HEAD', `${BRANCH_PREFIX}${branch}`], { cwd: repository });
}

/** Object id of a branch, tag, full ref or object id, as a commit; null when there is none. */
export async function resolveCommit(repository: string, revision: string): Promise<string | null> {
  if (revision === '' || revision.startsWith('-') || revision.includes('\0')) return null;
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const { code, stdout } = await runGit(args, { cwd: repository });
  return code === 0 ? stdout.toString('ascii').trim() : null;
}

/** Every file below a commit or tree, in git's order; submodules are left out. */
export async function listFiles(
  repository: string,
  oid: string,
  env?: Record<string, string>,
): Promise<TreeFile[]> {
  const args = ['ls-tree', '-r', '-z', '--full-tree', oid];
  const output = await gitOutput(args, { cwd: repository, env });
  return output
    .toString('utf8')
    .split('\0')
    .flatMap((line) => {
      const match = /^(\d+) blob ([0-9a-f]+)\t(.*)$/s.exec(line);
      if (match === null) return [];
      const [, mode = '', blob = '', path = ''] = match;
      return [{ mode, oid: blob, path }];
    });
}

/** Content of a file at a commit; null when the commit has no such file. */
export async function readBlob(
  repository: string,
  oid: string,
  path: string,
): Promise<Buffer | null> {
  if (!isObjectId(oid) || path.includes('\0')) return null;
  const { code, stdout } = await runGit(['cat-file', 'blob', `${oid}:${path}`], {
    cwd: repository,
  });
  return code === 0 ? stdout : null;
}
