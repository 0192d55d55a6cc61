import { once } from 'node:events';
import { UnavailableError } from '../../core/errors.js';
import { collectStderr, GitProcessError, killGroup, runGit, spawnGit } from '../git-process.js';
import { RecentAnswers } from './recent-answers.js';
import { dyingWithParent } from './dying-with-parent.js';
import type { OpenRepository } from './repository-reader.service.js';

const TIME_LIMIT_MS = 15_000;
const MAX_OUTPUT = 32 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 30;

/** A path is a path: no globs, no `:(magic)`; reading takes no locks. */
const ENVIRONMENT = { GIT_LITERAL_PATHSPECS: '1', GIT_OPTIONAL_LOCKS: '0' };

/** Settings of reading: files beyond this size are neither compared nor held in memory whole. */
const CONFIG = { 'core.bigFileThreshold': '16m', 'core.quotePath': 'false' };

export interface GitAnswer {
  code: number;
  stdout: Buffer;
  stderr: string;
}

/**
 * Runs a reading git process, whatever its exit code. 503 when it takes longer than 15 seconds or
 * says more than 32 MiB.
 */
export async function askGit(
  { path }: OpenRepository,
  args: readonly string[],
  input?: string,
): Promise<GitAnswer> {
  const signal = AbortSignal.timeout(TIME_LIMIT_MS);
  const bounds = { signal, maxOutput: MAX_OUTPUT };
  try {
    const prefix = await dyingWithParent();
    const options = { cwd: path, env: ENVIRONMENT, config: CONFIG, prefix, input, ...bounds };
    return await runGit(args, options);
  } catch (error) {
    if (!(error instanceof GitProcessError)) throw error;
    throw Object.assign(new UnavailableError(RETRY_AFTER_SECONDS), { cause: error });
  }
}

const recent = new RecentAnswers({ bytes: 16 * 1024 * 1024, bytesPerAnswer: 1024 * 1024 });

/**
 * As `askGit`, for questions that name objects by their ids only: what an id names never changes,
 * so that recent answers are given from memory. No names of refs, no `--all`.
 */
export async function askGitOnce(
  repository: OpenRepository,
  args: readonly string[],
  input = '',
): Promise<GitAnswer> {
  const key = [repository.path, ...args, input].join('\0');
  const known = recent.find(key);
  if (known !== undefined) return known;
  const answer = await askGit(repository, args, input);
  // What is not there today may be pushed tomorrow.
  if (answer.code === 0) recent.keep(key, answer);
  return answer;
}

/** As `readGit`, for questions as `askGitOnce` answers them. */
export async function readGitOnce(
  repository: OpenRepository,
  args: readonly string[],
  input?: string,
): Promise<string> {
  return outputOf(args, await askGitOnce(repository, args, input));
}

/** Output of a run that must succeed, as text: bytes that are not UTF-8 become U+FFFD. */
export async function readGit(
  repository: OpenRepository,
  args: readonly string[],
  input?: string,
): Promise<string> {
  return outputOf(args, await askGit(repository, args, input));
}

function outputOf(args: readonly string[], { code, stdout, stderr }: GitAnswer): string {
  if (code !== 0) throw new GitProcessError(`git ${args[0]} exited with ${code}: ${stderr}`);
  return stdout.toString('utf8');
}

export interface GitStream {
  args: readonly string[];
  input?: string;
  env?: Record<string, string>;
  /** Takes the next piece of output; `false` = enough, git is ended. */
  take(chunk: Buffer): boolean;
}

/**
 * Hands the output of git on piece by piece; true when it came to its end, false when `take` had
 * enough. Throws 503 after 15 seconds, GitProcessError when git fails.
 */
export async function streamGit(
  { path }: OpenRepository,
  { args, input, env, take }: GitStream,
): Promise<boolean> {
  const prefix = await dyingWithParent();
  const options = { cwd: path, env: { ...ENVIRONMENT, ...env }, config: CONFIG, prefix };
  const child = spawnGit(args, options);
  const stderr = collectStderr(child);
  const run: { cut: 'enough' | 'late' | null } = { cut: null };
  const cut = (reason: 'enough' | 'late'): void => {
    run.cut = reason;
    killGroup(child, 'SIGKILL');
  };
  const timer = setTimeout(() => cut('late'), TIME_LIMIT_MS);
  child.stdout?.on('data', (chunk: Buffer) => {
    if (run.cut === null && !take(chunk)) cut('enough');
  });
  // A process that ends early closes its input; its exit code tells why.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input ?? '');
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    if (run.cut === 'enough') return false;
    if (run.cut === 'late') throw new UnavailableError(RETRY_AFTER_SECONDS);
    if (code === 0) return true;
    throw new GitProcessError(`git ${args[0]} exited with ${code}: ${stderr()}`);
  } finally {
    clearTimeout(timer);
  }
}
