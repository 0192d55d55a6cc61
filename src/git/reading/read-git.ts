import { once } from 'node:events';
import { LRUCache } from 'lru-cache';
import { UnavailableError } from '../../core/errors.js';
import { countCacheRequest } from '../../core/metrics/metrics-registry.js';
import { killGroup } from '../forked-process.js';
import {
  collectStderr,
  exitCode,
  GitOutputError,
  GitProcessError,
  runGit,
  startGit,
} from '../git-process.js';
import { isOutOfMemory, MEMORY } from '../memory-limit.js';
import type { OpenRepository } from './repository-reader.service.js';

const PREFIX = ['setpriv', '--pdeathsig', 'KILL'] as const;

let works: Promise<boolean> | undefined;

/**
 * Returns the command prefix of processes that must end with this one and its fork server, even when
 * it is killed: git can compute for hours without a reader. Empty where util-linux' setpriv is missing.
 */
export async function dyingWithParent(): Promise<readonly string[]> {
  works ??= exitCode(PREFIX[0], [...PREFIX.slice(1), 'true']).then(
    (code) => code === 0,
    () => false,
  );
  return (await works) ? PREFIX : [];
}

const TIME_LIMIT_MS = 15_000;
const MAX_OUTPUT = 32 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 30;

/** A path is a path: no globs, no `:(magic)`; reading takes no locks. */
const ENVIRONMENT = { GIT_LITERAL_PATHSPECS: '1', GIT_OPTIONAL_LOCKS: '0' };

/** Settings of reading: files beyond this size are neither compared nor held in memory whole. */
const CONFIG = { 'core.bigFileThreshold': '16m', 'core.quotePath': 'false' };

/** 503 for a reading that exceeds its time, memory or output limit. */
export class ReadingLimitError extends UnavailableError {
  constructor(
    readonly limit: 'memory' | 'output' | 'time',
    override readonly cause: unknown,
  ) {
    super(RETRY_AFTER_SECONDS);
  }
}

export interface GitAnswer {
  code: number;
  stdout: Buffer;
  stderr: string;
}

/** Options of a git command that reads. */
interface ReadingOptions {
  input?: string;
  /** One of MEMORY. */
  memory?: number;
  /** Shortens each chunk of output; must be deterministic, since answers are cached. */
  shorten?: (chunk: Buffer) => Buffer;
}

/**
 * Runs a git command that reads and returns its output for any exit code; a client disconnect ends
 * it. Throws ReadingLimitError after 15 seconds, 32 MiB of output or the memory limit.
 */
export async function runGitLimited(
  repository: OpenRepository,
  args: readonly string[],
  { input, memory = MEMORY.reading, shorten }: ReadingOptions = {},
): Promise<GitAnswer> {
  const { path: cwd, signal: leaving } = repository;
  const prefix = await dyingWithParent();
  assertClientIsThere(repository);
  const end = new AbortController();
  const abort = (): void => end.abort();
  const timer = setTimeout(abort, TIME_LIMIT_MS);
  leaving?.addEventListener('abort', abort);
  const bounds = { signal: end.signal, maxOutput: MAX_OUTPUT, memory, shorten };
  try {
    const options = { cwd, env: ENVIRONMENT, config: CONFIG, prefix, input, ...bounds };
    const answer = await runGit(args, options);
    if (answer.code !== 0) assertEnoughMemory(answer.stderr);
    return answer;
  } catch (error) {
    assertClientIsThere(repository);
    if (!(error instanceof GitProcessError)) throw error;
    throw new ReadingLimitError(error instanceof GitOutputError ? 'output' : 'time', error);
  } finally {
    clearTimeout(timer);
    leaving?.removeEventListener('abort', abort);
  }
}

const recent = new LRUCache<string, GitAnswer>({
  maxSize: 16 * 1024 * 1024,
  maxEntrySize: 1024 * 1024,
  sizeCalculation: ({ stdout }, key) => 2 * key.length + stdout.length,
});

/** Refusals of readings that would be refused again, each time after seconds of work. */
const exceeding = new LRUCache<string, ReadingLimitError>({ max: 1_000, ttl: 600_000 });

/** Runs that equal questions share; those that a client's disconnect ends are not among them. */
const running = new Map<string, Promise<GitAnswer>>();

/**
 * As `runGitLimited`, for arguments that name objects by ID only: results never change, so recent ones
 * and refusals are cached. Not for names of refs or `--all`.
 */
export async function runGitCached(
  repository: OpenRepository,
  args: readonly string[],
  options: ReadingOptions = {},
): Promise<GitAnswer> {
  const key = [repository.path, ...args, options.input ?? ''].join('\0');
  const known = recent.get(key);
  countCacheRequest('git_results', known !== undefined);
  if (known !== undefined) return known;
  const refusal = exceeding.get(key);
  if (refusal !== undefined) throw refusal;
  const run = async (): Promise<GitAnswer> => {
    const answer = await runGitLimited(repository, args, options).catch((error: unknown) => {
      if (error instanceof ReadingLimitError && isRepeatable(error, options))
        exceeding.set(key, error);
      throw error;
    });
    // Failures are not cached: a missing object can be pushed later.
    if (answer.code === 0) recent.set(key, answer);
    return answer;
  };
  if (repository.signal !== undefined) return run();
  const shared = running.get(key) ?? run().finally(() => running.delete(key));
  running.set(key, shared);
  return shared;
}

/** State of the refs that a command reads, or null if it is not known. */
type ReferenceVersion = () => Promise<string | null>;

/** As `readGit`, for arguments that name refs: results are cached as long as their version stays. */
export async function readGitAtVersion(
  repository: OpenRepository,
  args: readonly string[],
  { versionOf, ...options }: ReadingOptions & { versionOf: ReferenceVersion },
): Promise<string> {
  const version = await versionOf();
  if (version === null) return readGit(repository, args, options);
  const key = [repository.path, version, ...args, options.input ?? ''].join('\0');
  const known = recent.get(key);
  if (known !== undefined) return outputOf(args, known);
  const answer = await runGitLimited(repository, args, options);
  // A push in the meantime is in the answer, or not.
  if (answer.code === 0 && (await versionOf()) === version) recent.set(key, answer);
  return outputOf(args, answer);
}

/** Output depends on the objects alone; memory does as well, but only comparisons need much of it. */
function isRepeatable({ limit }: ReadingLimitError, { memory }: ReadingOptions): boolean {
  return limit === 'output' || (limit === 'memory' && memory === MEMORY.comparing);
}

/** As `readGit`, for questions as `runGitCached` answers them. */
export async function readGitCached(
  repository: OpenRepository,
  args: readonly string[],
  options?: ReadingOptions,
): Promise<string> {
  return outputOf(args, await runGitCached(repository, args, options));
}

/** Output of a run that must succeed, as text: bytes that are not UTF-8 become U+FFFD. */
export async function readGit(
  repository: OpenRepository,
  args: readonly string[],
  options?: ReadingOptions,
): Promise<string> {
  return outputOf(args, await runGitLimited(repository, args, options));
}

function outputOf(args: readonly string[], { code, stdout, stderr }: GitAnswer): string {
  if (code !== 0) throw new GitProcessError(`git ${args[0]} exited with ${code}: ${stderr}`);
  return stdout.toString('utf8');
}

interface GitStream extends Omit<ReadingOptions, 'shorten'> {
  args: readonly string[];
  env?: Record<string, string>;
  timeLimitMs?: number;
  /** Takes the next piece of output; `false` = enough, git is ended. */
  take(chunk: Buffer): boolean;
}

/**
 * Passes the output of git to `take` in chunks and returns whether it was read to the end, false
 * when `take` stopped it. Throws ReadingLimitError as `runGitLimited`, GitProcessError when git fails.
 */
export async function streamGit(
  repository: OpenRepository,
  { args, input, env, memory = MEMORY.reading, timeLimitMs = TIME_LIMIT_MS, take }: GitStream,
): Promise<boolean> {
  const { path: cwd, signal: leaving } = repository;
  const prefix = await dyingWithParent();
  assertClientIsThere(repository);
  const environment = { ...ENVIRONMENT, ...env };
  const child = await startGit(args, { cwd, env: environment, config: CONFIG, prefix, memory });
  const stderr = collectStderr(child);
  const run: { cut: 'enough' | 'late' | null } = { cut: null };
  const cut = (reason: 'enough' | 'late'): void => {
    run.cut = reason;
    killGroup(child, 'SIGKILL');
  };
  const late = (): void => cut('late');
  const timer = setTimeout(late, timeLimitMs);
  leaving?.addEventListener('abort', late);
  if (leaving?.aborted === true) late();
  child.stdout.on('data', (chunk: Buffer) => {
    if (run.cut === null && !take(chunk)) cut('enough');
  });
  child.stdin.end(input ?? '');
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    if (run.cut === 'enough') return false;
    assertClientIsThere(repository);
    if (run.cut === 'late') {
      throw new ReadingLimitError('time', `git ${args[0]} took too long`);
    }
    if (code === 0) return true;
    assertEnoughMemory(stderr());
    throw new GitProcessError(`git ${args[0]} exited with ${code}: ${stderr()}`);
  } finally {
    clearTimeout(timer);
    leaving?.removeEventListener('abort', late);
  }
}

/** Throws 503 after a client disconnect; the response is never read. */
function assertClientIsThere({ signal }: OpenRepository): void {
  if (signal?.aborted === true) throw new UnavailableError(RETRY_AFTER_SECONDS);
}

function assertEnoughMemory(stderr: string): void {
  if (isOutOfMemory(stderr)) throw new ReadingLimitError('memory', stderr);
}
