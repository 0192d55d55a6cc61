import { type ForkedProcess, killGroup } from './forked-process.js';
import { collectStderr, GitProcessError, startGit } from './git-process.js';
import { MEMORY } from './memory-limit.js';

const TIME_LIMIT_MS = 60_000;
/** A folder of a million files; nothing larger is rewritten. */
const MAX_OBJECT_BYTES = 64 * 1024 * 1024;
const LINE_END = 0x0a;

/** An object as git stores it. */
export interface GitObject {
  oid: string;
  type: string;
  content: Buffer;
}

interface Waiting {
  resolve(object: GitObject | null): void;
  reject(error: Error): void;
}

/**
 * Reads objects of one repository one after the other, by one git process that starts with the
 * first question. Ask for commits and trees only: the whole object is held in memory.
 */
export class ObjectReader {
  private child: Promise<ForkedProcess> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private chunks: Buffer[] = [];
  private size = 0;
  /** Bytes that must be there before looking at them is worth while. */
  private needed = 1;
  private waiting: Waiting | undefined;

  constructor(private readonly repository: string) {}

  /**
   * Returns the object of an object ID or a full ref name (`^{commit}` can follow); null when it
   * does not exist. Throws GitProcessError.
   */
  read(expression: string): Promise<GitObject | null> {
    if (/[\n\0]/.test(expression)) throw new RangeError('Not one line');
    if (this.waiting !== undefined) throw new Error('One question at a time');
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.child ??= this.start();
      this.child.then(
        ({ stdin }) => stdin.write(`${expression}\n`),
        (error: Error) => this.fail(error),
      );
    });
  }

  /** Ends the process; must be called, also after an error. */
  close(): void {
    clearTimeout(this.timer);
    this.child?.then(
      (child) => killGroup(child, 'SIGKILL'),
      () => undefined,
    );
  }

  private async start(): Promise<ForkedProcess> {
    const options = { cwd: this.repository, memory: MEMORY.reading };
    const child = await startGit(['cat-file', '--batch'], options);
    const stderr = collectStderr(child);
    child.stdout.on('data', (chunk: Buffer) => this.take(chunk));
    child.once('close', () => {
      clearTimeout(this.timer);
      this.fail(new GitProcessError(`git cat-file ended early: ${stderr()}`));
    });
    this.timer = setTimeout(() => killGroup(child, 'SIGKILL'), TIME_LIMIT_MS);
    return child;
  }

  private take(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.size += chunk.length;
    if (this.size < this.needed) return;
    const bytes = Buffer.concat(this.chunks);
    this.chunks = [bytes];
    const end = bytes.indexOf(LINE_END);
    if (end === -1) return;
    const header = bytes.toString('utf8', 0, end);
    const [, oid = '', type = '', length] = /^([0-9a-f]+) (\w+) (\d+)$/.exec(header) ?? [];
    if (length === undefined) return this.answer(null, bytes.subarray(end + 1));
    this.needed = end + 1 + Number(length) + 1;
    if (this.needed > MAX_OBJECT_BYTES) {
      this.close();
      return this.fail(new GitProcessError(`The ${type} ${oid} is too large`));
    }
    if (bytes.length < this.needed) return;
    const content = bytes.subarray(end + 1, this.needed - 1);
    this.answer({ oid, type, content }, bytes.subarray(this.needed));
  }

  private answer(object: GitObject | null, rest: Buffer): void {
    this.chunks = [rest];
    this.size = rest.length;
    this.needed = 1;
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.resolve(object);
  }

  private fail(error: Error): void {
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.reject(error);
  }
}
