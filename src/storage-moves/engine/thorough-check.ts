import { runGit } from '../../git/git-process.js';
import { damagedSource } from './move-error.js';

const STALL_MS = 15 * 60 * 1000;

/**
 * Lets git look for missing objects: everything the references need must be there.
 * Throws MoveError with git's first finding. It does not read file contents; the
 * checksums of packs and loose objects are the caller's other half.
 */
export async function requireConnectivity(repository: string, signal: AbortSignal): Promise<void> {
  // --progress: without a sign of life a long check would look stalled.
  const check = ['fsck', '--connectivity-only', '--no-dangling', '--no-reflogs', '--progress'];
  await runCheck({ repository, args: check, signal });
}

/** Lets git unpack every object of the given pack indexes; throws MoveError when one is broken. */
export async function requireSoundPacks(
  repository: string,
  indexes: string[],
  signal: AbortSignal,
): Promise<void> {
  if (indexes.length === 0) return;
  await runCheck({ repository, args: ['verify-pack', '--', ...indexes], signal });
}

interface Check {
  repository: string;
  args: string[];
  signal: AbortSignal;
}

async function runCheck({ repository, args, signal }: Check): Promise<void> {
  // Both are caches that can be stale in a sound repository; their checksums are checked anyway.
  const config = { 'core.commitGraph': 'false', 'core.multiPackIndex': 'false' };
  const options = { cwd: repository, signal, stallMs: STALL_MS, config };
  const result = await runGit(['--git-dir=.', ...args], options).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
  if (result.code === 0) return;
  const finding = firstFinding(`${result.stdout.toString()}\n${result.stderr}`);
  throw damagedSource(finding ?? `git ${args[0]} exited with ${result.code}`);
}

function firstFinding(output: string): string | undefined {
  const lines = output.split(/[\r\n]+/).map((line) => line.trim());
  const finding = lines.find((line) => /^(missing|broken|corrupt|error|fatal)/.test(line));
  return finding?.replace(/^(error|fatal): /, '').slice(0, 200);
}
