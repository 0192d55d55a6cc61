import { statfs } from 'node:fs/promises';
import { GitProcessError, runGit } from './git-process.js';
import { isValidReferenceName, isZeroOid } from './reference-name.js';
import { isStorageFailureText } from './storage-registry.js';

/** One ref command of a push as receive-pack names it; ids are 40 (or 64) hex digits. */
export interface RefCommand {
  oldOid: string;
  newOid: string;
  ref: string;
}

/** A ref is not where the caller thought it was. */
export class ReferenceMovedError extends Error {}

/** A ref of that name cannot be beside those that are there: `a` and `a/b`. */
export class ReferenceClashError extends Error {}

/**
 * Moves refs, all or none, each from exactly the old id that its command names. Throws
 * ReferenceMovedError, ReferenceClashError. Only under a write lease, after its `confirm`.
 */
export async function updateReferences(
  repository: string,
  commands: readonly RefCommand[],
): Promise<void> {
  if (commands.length === 0) return;
  const input = commands.map(toInstruction).join('');
  const args = ['update-ref', '--stdin', '-z'];
  const { code, stderr } = await runGit(args, { cwd: repository, input });
  if (code === 0) return;
  if (isStorageFailureText(stderr)) throw updateFailed(code, stderr);
  if (stderr.includes("couldn't write")) throw await writeFailed(repository, stderr);
  if (/exists; cannot create|cannot process .* at the same time/.test(stderr)) {
    throw new ReferenceClashError(stderr);
  }
  if (stderr.includes('cannot lock ref')) throw new ReferenceMovedError(stderr);
  throw updateFailed(code, stderr);
}

/** Git names the lock file that it could not write, but not the reason. */
async function writeFailed(repository: string, stderr: string): Promise<Error> {
  const { bavail } = await statfs(repository);
  return Object.assign(new GitProcessError(stderr), { code: bavail === 0 ? 'ENOSPC' : 'EIO' });
}

function updateFailed(code: number, stderr: string): GitProcessError {
  return new GitProcessError(`git update-ref exited with ${code}: ${stderr}`);
}

function toInstruction({ ref, oldOid, newOid }: RefCommand): string {
  if (!isValidReferenceName(ref)) throw new RangeError(`Bad ref: ${ref}`);
  if (isZeroOid(newOid)) return `delete ${ref}\0${oldOid}\0`;
  return `update ${ref}\0${newOid}\0${oldOid}\0`;
}
