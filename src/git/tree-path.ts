import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { type ParamOptions, TextParam } from '../core/params/params.decorator.js';

const MAX_PATH_BYTES = 1024;
const MAX_NAME_BYTES = 255;

/**
 * Returns the reason why a path cannot be a file of a commit, or null. Refuses paths that would
 * escape the work tree of a checkout: `..`, absolute paths, anything that a file system treats as
 * `.git` (CVE-2014-9390).
 */
export function treePathProblem(path: string): string | null {
  if (path === '') return 'is empty';
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return 'is too long';
  if (/[\0-\x1f\x7f\\]/.test(path)) return 'has characters that are not allowed';
  for (const name of path.split('/')) {
    if (name === '' || name === '.' || name === '..') return 'is not a plain relative path';
    if (Buffer.byteLength(name) > MAX_NAME_BYTES) return 'is too long';
    if (looksLikeDotGit(name)) return 'must not contain .git';
  }
  return null;
}

/** Throws RangeError for a path that `treePathProblem` finds fault with. */
export function assertSafeTreePath(path: string): void {
  const problem = treePathProblem(path);
  if (problem !== null) throw new RangeError(`The path ${JSON.stringify(path)} ${problem}`);
}

function looksLikeDotGit(name: string): boolean {
  // HFS+ ignores these characters, NTFS trailing dots, spaces and streams, and it has git~1.
  const plain = name
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
    .toLowerCase()
    .replace(/:.*/s, '')
    .replace(/(?<![. ])[. ]+$/, '');
  return plain === '.git' || plain === 'git~1';
}

interface TreePathOptions extends ParamOptions {
  maxLength?: number;
}

/** Path of a file in a repository; refused is all that could leave a work tree. */
export function TreePathParam({ maxLength, ...options }: TreePathOptions = {}): PropertyDecorator {
  const isUsable = (value: unknown): boolean => {
    if (typeof value !== 'string') return true;
    return value.length <= (maxLength ?? Infinity) && treePathProblem(value) === null;
  };
  return applyDecorators(
    TextParam({ ...options, allowEmpty: false }),
    ValidateBy(
      { name: 'treePath', validator: { validate: isUsable } },
      { message: 'should be a valid file path' },
    ),
  );
}
