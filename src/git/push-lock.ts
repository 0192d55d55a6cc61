import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exitCode } from './git-process.js';

const CONFLICT_EXIT_CODE = 75;
const LONGEST_WAIT_SECONDS = 30;

/** Where the lock of one repository is; the file stays, for a deleted lock would be two locks. */
interface PushLock {
  storageRoot: string;
  repositoryKey: string;
}

let flockWorks: Promise<boolean> | undefined;

/**
 * Command prefix that makes receive-pack hold a shared kernel lock for as long as it or anything
 * it started lives, even when this process is killed. Empty where util-linux' flock is missing:
 * there, a receive-pack whose server died only ends by its closed pipes.
 */
export async function pushLockPrefix(lock: PushLock): Promise<string[]> {
  if (!(await isFlockUsable())) return [];
  const path = await lockFile(lock);
  return ['flock', '--shared', '--timeout', String(LONGEST_WAIT_SECONDS), '--no-fork', path];
}

/**
 * Returns true if no receive-pack works on the repository; waits up to `waitMs` for it. Proves that
 * a push whose server died is over, before its lease is taken away.
 */
export async function pushLockIsFree(lock: PushLock, waitMs: number): Promise<boolean> {
  if (!(await isFlockUsable())) return true;
  const path = await lockFile(lock);
  const wait = String(waitMs / 1000);
  const conflict = String(CONFLICT_EXIT_CODE);
  const args = ['--exclusive', '--timeout', wait, '--conflict-exit-code', conflict, path, 'true'];
  const code = await exitCode('flock', args);
  if (code !== 0 && code !== CONFLICT_EXIT_CODE) throw new Error(`flock exited with ${code}`);
  return code === 0;
}

async function lockFile({ storageRoot, repositoryKey }: PushLock): Promise<string> {
  const path = join(storageRoot, '+svc', 'locks', `${repositoryKey}.lock`);
  await mkdir(dirname(path), { recursive: true });
  return path;
}

function isFlockUsable(): Promise<boolean> {
  // Other programs of this name (BusyBox) support neither long options nor --no-fork.
  flockWorks ??= exitCode('flock', ['--shared', '--no-fork', '/dev/null', 'true']).then(
    (code) => code === 0,
    () => false,
  );
  return flockWorks;
}
