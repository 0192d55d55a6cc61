import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { forkProcess } from './fork-process.js';
import { type ForkedProcess, killGroup } from './forked-process.js';
import { observeGit } from './git-metrics.js';
import { limitingMemory, MEMORY } from './memory-limit.js';

const DEFAULT_MAX_OUTPUT = 64 * 1024 * 1024;
const KEPT_STDERR = 8 * 1024;

/** Values by key; a list sets a key several times. */
export type GitConfiguration = Record<string, string | readonly string[]>;

/** Settings of every git process; a repository's own configuration cannot override them. */
const CONFIGURATION: GitConfiguration = {
  // All repositories are ours, regardless of the files' owner on the mount.
  'safe.directory': '*',
  // Nothing may repack behind a move's back.
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'receive.autogc': 'false',
  // Settings that run programs.
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.alternateRefsCommand': 'exit 0 #',
  'core.fsync': 'objects,derived-metadata,reference',
  'core.fsyncMethod': 'fsync',
};

interface StartGitOptions {
  cwd?: string;
  env?: Record<string, string>;
  config?: GitConfiguration;
  /** Program and arguments in front of git, such as a lock that git runs under. */
  prefix?: readonly string[];
  /** One of MEMORY, by default the largest. */
  memory?: number;
}

interface RunGitOptions extends StartGitOptions {
  input?: string | Buffer;
  signal?: AbortSignal;
  /** Shortens each chunk of standard output before it is stored. */
  shorten?: (chunk: Buffer) => Buffer;
  /** More than this many bytes of standard output fail the run. */
  maxOutput?: number;
  /** Kill the run after this long without any output; there is no limit on the whole. */
  stallMs?: number;
}

interface GitResult {
  code: number;
  stdout: Buffer;
  /** The last few kilobytes. */
  stderr: string;
}

/** A git process that could not be run to its end: killed, stalled, too much output. */
export class GitProcessError extends Error {}

/** More standard output than `maxOutput`. */
export class GitOutputError extends GitProcessError {}

/** The whole environment of a git process: nothing of ours or of the machine's set-up leaks in. */
export function gitEnvironment(extra: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    // Overrides every protocol.*.allow: no process here ever talks to another repository.
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_NO_LAZY_FETCH: '1',
    // A pushed refs/replace/* must not change what we read.
    GIT_NO_REPLACE_OBJECTS: '1',
    ...extra,
  };
}

/** `-c` arguments of every git process, with `extra` settings on top. */
function gitConfigArguments(extra: GitConfiguration = {}): string[] {
  const settings = Object.entries({ ...CONFIGURATION, ...extra });
  return settings.flatMap(([key, value]) => {
    const values = typeof value === 'string' ? [value] : value;
    return values.flatMap((one) => ['-c', `${key}=${one}`]);
  });
}

/** A running git, started by `startGit` or `spawnGit`. */
export type GitProcess = ForkedProcess | ChildProcess;

/**
 * Starts `git <args>` without a shell as leader of a process group of its own, so that
 * `killGroup` also reaches what it started. The caller must consume or ignore stderr. Rejects with
 * the system's error.
 */
export async function startGit(
  args: readonly string[],
  options: StartGitOptions = {},
): Promise<ForkedProcess> {
  const observation = observeGit(args);
  const { program, rest } = gitCommand(args, options);
  const request = { program, args: rest, cwd: options.cwd, env: gitEnvironment(options.env) };
  try {
    const child = await forkProcess(request);
    observation.follow(child);
    return child;
  } catch (error) {
    observation.fail(error as Error);
    throw error;
  }
}

/**
 * The same as a child of this process, which takes longer, for streams beyond the three standard
 * ones. It emits `error` when it cannot start.
 */
export function spawnGit(
  args: readonly string[],
  { stdio, ...options }: StartGitOptions & { stdio: StdioOptions },
): ChildProcess {
  const observation = observeGit(args);
  const { program, rest } = gitCommand(args, options);
  const env = gitEnvironment(options.env);
  const child = spawn(program, rest, { cwd: options.cwd, env, stdio, detached: true });
  child.once('error', (error) => observation.fail(error));
  observation.follow(child);
  return child;
}

function gitCommand(
  args: readonly string[],
  { prefix = [], memory = MEMORY.working, config }: StartGitOptions,
): { program: string; rest: string[] } {
  const wrappers = [...prefix, ...limitingMemory(memory)];
  const [program = '', ...rest] = [...wrappers, 'git', ...gitConfigArguments(config), ...args];
  return { program, rest };
}

/** Keeps the end of a process's stderr and drains the rest: a full pipe would block git forever. */
export function collectStderr(child: GitProcess): () => string {
  let kept = Buffer.alloc(0);
  child.stderr?.on('data', (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk]);
    if (kept.length > KEPT_STDERR) kept = kept.subarray(kept.length - KEPT_STDERR);
  });
  return () => kept.toString('utf8').trim();
}

/**
 * Runs git to its end. Resolves with any exit code; throws GitProcessError when it was
 * killed (abort signal, stall, too much output) and the system's error when it cannot start.
 */
export async function runGit(
  args: readonly string[],
  options: RunGitOptions = {},
): Promise<GitResult> {
  const child = await startGit(args, options);
  return new GitRun(child, args, options).result();
}

/** Standard output of a git run that must succeed; GitProcessError with git's text otherwise. */
export async function gitOutput(args: readonly string[], options?: RunGitOptions): Promise<Buffer> {
  const { code, stdout, stderr } = await runGit(args, options);
  if (code !== 0) throw new GitProcessError(`git ${args[0]} exited with ${code}: ${stderr}`);
  return stdout;
}

class GitRun {
  private readonly chunks: Buffer[] = [];
  private size = 0;
  private failure: GitProcessError | undefined;
  private stallTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly child: ForkedProcess,
    private readonly args: readonly string[],
    private readonly options: RunGitOptions,
  ) {}

  result(): Promise<GitResult> {
    const stderr = collectStderr(this.child);
    const abort = (): void => this.fail(this.error('was aborted'));
    this.options.signal?.addEventListener('abort', abort, { once: true });
    if (this.options.signal?.aborted === true) abort();
    this.child.stderr.on('data', () => this.progress());
    this.child.stdout.on('data', (chunk: Buffer) => this.collect(chunk));
    this.child.stdin.end(this.options.input ?? '');
    this.progress();
    return new Promise<GitResult>((resolve, reject) => {
      this.child.once('close', (code, signal) => {
        if (this.failure !== undefined) return reject(this.failure);
        if (code === null) return reject(this.error(`was killed by ${signal}`));
        resolve({ code, stdout: Buffer.concat(this.chunks), stderr: stderr() });
      });
    }).finally(() => {
      clearTimeout(this.stallTimer);
      this.options.signal?.removeEventListener('abort', abort);
    });
  }

  private collect(output: Buffer): void {
    this.progress();
    const chunk = this.options.shorten?.(output) ?? output;
    this.size += chunk.length;
    if (this.size > (this.options.maxOutput ?? DEFAULT_MAX_OUTPUT)) {
      return this.fail(new GitOutputError(`git ${this.args[0]} wrote too much output`));
    }
    this.chunks.push(chunk);
  }

  private progress(): void {
    if (this.options.stallMs === undefined) return;
    clearTimeout(this.stallTimer);
    this.stallTimer = setTimeout(() => this.fail(this.error('stalled')), this.options.stallMs);
  }

  private fail(error: GitProcessError): void {
    this.failure ??= error;
    killGroup(this.child, 'SIGKILL');
  }

  private error(reason: string): GitProcessError {
    return new GitProcessError(`git ${this.args[0]} ${reason}`);
  }
}

/**
 * Returns the exit code of a program without input and output, null after a signal. Rejects if it
 * cannot start.
 */
export async function exitCode(program: string, args: readonly string[]): Promise<number | null> {
  const { PATH } = process.env;
  const child = await forkProcess({ program, args, env: { PATH } });
  child.stdin.end();
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}
