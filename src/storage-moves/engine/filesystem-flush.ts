import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { readdirSync, statSync } from 'node:fs';
import { MoveError } from './move-error.js';
import { syncPath } from '../../git/durable-file.js';
import { forEachLimited } from './file-io.js';

/**
 * One answer line per path read. A process of its own for every flush would cost this one
 * 2 to 4 ms each to start; the shell exits at the end of its input.
 */
const SCRIPT = `while IFS= read -r path; do
  if text=$(sync -f "$path" 2>&1); then echo ok; else echo "failed $(echo $text)"; fi
done`;

type Shell = ChildProcessByStdio<Writable, Readable, null>;

interface Answer {
  resolve(line: string): void;
}

/**
 * Flushes whole filesystems through one long-lived shell, as a group commit: calls that arrive
 * while a flush of the same filesystem runs wait for the next one, together with all others.
 */
export class Flusher {
  private shell: Shell | null = null;
  private supported: boolean;
  private readonly answers: Answer[] = [];
  private readonly waiting = new Map<string, Promise<boolean>>();
  private readonly running = new Map<string, Promise<boolean>>();

  constructor(
    private readonly script = SCRIPT,
    platform = process.platform,
  ) {
    this.supported = platform === 'linux';
  }

  /**
   * Flushes the filesystem that `root` is on; `filesystem` names it, where several roots share it.
   * Resolves with false where a single filesystem cannot be flushed; MoveError when it fails.
   */
  flush(root: string, filesystem = root): Promise<boolean> {
    const running = this.running.get(filesystem);
    if (!running) return this.start(root, filesystem);
    const waiting = this.waiting.get(filesystem);
    if (waiting) return waiting;
    // The running flush can be past our files already.
    const startWaiting = () => {
      this.waiting.delete(filesystem);
      return this.start(root, filesystem);
    };
    const next = running.then(startWaiting, startWaiting);
    this.waiting.set(filesystem, next);
    return next;
  }

  private start(root: string, filesystem: string): Promise<boolean> {
    const flush = this.run(root).finally(() => {
      if (this.running.get(filesystem) === flush) this.running.delete(filesystem);
    });
    this.running.set(filesystem, flush);
    return flush;
  }

  private async run(root: string): Promise<boolean> {
    if (!this.supported || root.includes('\n')) return false;
    const line = await this.ask(root);
    if (line === 'ok') return true;
    if (!/option|usage|applet|not found|no shell/i.test(line)) throw flushFailed(line);
    this.supported = false;
    return false;
  }

  private ask(root: string): Promise<string> {
    const shell = (this.shell ??= this.open());
    return new Promise((resolve) => {
      this.answers.push({ resolve });
      keepAlive(shell, true);
      shell.stdin.write(`${root}\n`);
    });
  }

  private open(): Shell {
    const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C' };
    const shell = spawn('sh', ['-c', this.script], { stdio: ['pipe', 'pipe', 'ignore'], env });
    createInterface({ input: shell.stdout }).on('line', (line) => this.answer(shell, line));
    shell.on('error', () => this.abandon(shell, 'no shell'));
    shell.on('close', () => this.abandon(shell, 'failed sync was killed'));
    // The close event reports what a failed write would.
    shell.stdin.on('error', () => undefined);
    shell.unref();
    return shell;
  }

  private answer(shell: Shell, line: string): void {
    this.answers.shift()?.resolve(line);
    if (this.answers.length === 0) keepAlive(shell, false);
  }

  private abandon(shell: Shell, line: string): void {
    if (this.shell !== shell) return;
    this.shell = null;
    for (const { resolve } of this.answers.splice(0)) resolve(line);
  }
}

/** An idle shell must not keep the process from ending, a flush under way must. */
function keepAlive(shell: Shell, isBusy: boolean): void {
  for (const pipe of [shell.stdin, shell.stdout] as unknown as Socket[]) {
    if (isBusy) pipe.ref();
    else pipe.unref();
  }
}

function flushFailed(line: string): MoveError {
  const reason = line.replace(/^failed /, '');
  return new MoveError(`Storage could not be flushed: ${reason}`, { transient: true });
}

const FSYNC_PARALLEL = 4;

const flusher = new Flusher();

/**
 * Makes files and directories of one storage durable.
 *
 * Measured on ext4 for 37 small files: an fsync for each takes 6 to 13 ms, one syncfs of the
 * filesystem 3 ms, and moves that end at the same time share it. So everything small goes by
 * syncfs (`sync -f`; since Linux 5.8 it reports write errors), and big files are synced while
 * they are copied. Where there is no `sync -f`, each of the paths is synced.
 */
export async function flushPaths(storageRoot: string, paths: () => string[]): Promise<void> {
  const filesystem = String(statSync(storageRoot).dev);
  if (await flusher.flush(storageRoot, filesystem)) return;
  await forEachLimited(paths(), { parallel: FSYNC_PARALLEL }, syncPath);
}

/** Everything below a directory, contents before the directory that names them. */
export function treePaths(directory: string): string[] {
  const entries = readdirSync(directory, { recursive: true });
  return [...entries.map((entry) => `${directory}/${String(entry)}`).reverse(), directory];
}
