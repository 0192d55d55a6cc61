import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { RefCommand } from './reference-updates.js';
import { isObjectId } from './reference-name.js';

/** Folder of the hooks that receive-pack runs; the build copies it beside the bundle as well. */
export const HOOKS_PATH = fileURLToPath(new URL('./hooks', import.meta.url));

/** Where the objects of a push are while its hook runs; nothing else sees them before consent. */
export interface Quarantine {
  objectDirectory: string;
  alternateObjectDirectories: string;
}

/** Environment in which git finds the objects of a push that has not been accepted yet. */
export function quarantineEnvironment(quarantine: Quarantine | null): Record<string, string> {
  if (quarantine === null) return {};
  return {
    GIT_OBJECT_DIRECTORY: quarantine.objectDirectory,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: quarantine.alternateObjectDirectories,
  };
}

export interface HookAnswer {
  accept: boolean;
  /** Lines for the person who pushes. */
  lines: readonly string[];
}

/** Callbacks of receive-pack during a push. */
export interface HookHandler {
  preReceive(commands: RefCommand[], quarantine: Quarantine | null): Promise<HookAnswer>;
  postReceive(updates: RefCommand[]): Promise<readonly string[]>;
}

/** Far above what 50,000 ref updates take. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** End of a message: no line that git passes on begins with a dot, see git/hooks. */
const END = '\n.\n';
const UNAVAILABLE = 'Guildhall: The server could not check this push. Please try again later.';

/**
 * Server end of the socket that the hooks of one receive-pack inherit (see git/hooks). An error of
 * a handler rejects the push and is passed to `onError`.
 */
export class HookChannel {
  private chunks: Buffer[] = [];
  private size = 0;
  private end = '';
  private work: Promise<void> = Promise.resolve();

  constructor(
    private readonly socket: Duplex,
    private readonly handler: HookHandler,
    private readonly onError: (error: unknown) => void,
  ) {
    socket.on('data', (chunk: Buffer) => this.collect(chunk));
    // The other end goes away with receive-pack; its exit code is what counts.
    socket.on('error', () => undefined);
  }

  /** Resolves when no message is being handled. */
  settled(): Promise<void> {
    return this.work;
  }

  private collect(chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > MAX_MESSAGE_BYTES) {
      this.socket.destroy();
      return;
    }
    this.chunks.push(chunk);
    this.end = `${this.end}${chunk.subarray(-END.length).toString('latin1')}`.slice(-END.length);
    if (this.end !== END) return;
    const message = Buffer.concat(this.chunks).toString('utf8');
    this.chunks = [];
    this.size = 0;
    this.end = '';
    this.work = this.work.then(() => this.answer(message));
  }

  private async answer(message: string): Promise<void> {
    try {
      this.socket.write(await this.handle(message));
    } catch (error) {
      this.onError(error);
      this.socket.write(formatAnswer([UNAVAILABLE], 'refuse'));
    }
  }

  private async handle(message: string): Promise<string> {
    const [kind, ...lines] = message.slice(0, -END.length).split('\n');
    if (kind === 'post-receive') {
      return formatAnswer(await this.handler.postReceive(lines.map(parseCommand)), 'done');
    }
    if (kind !== 'pre-receive') throw new Error(`Unknown hook message: ${kind}`);
    const [objectDirectory = '-', alternateObjectDirectories = '-', ...commands] = lines;
    // A push that only deletes brings no objects and so has no quarantine.
    const quarantine =
      objectDirectory === '-' ? null : { objectDirectory, alternateObjectDirectories };
    const answer = await this.handler.preReceive(commands.map(parseCommand), quarantine);
    return formatAnswer(answer.lines, answer.accept ? 'accept' : 'refuse');
  }
}

/** Reads git's `<old> SP <new> SP <ref>` behind a `=`; throws for anything else. */
function parseCommand(line: string): RefCommand {
  const [oldOid = '', newOid = '', ...rest] = line.slice(1).split(' ');
  const ref = rest.join(' ');
  if (!line.startsWith('=') || !isObjectId(oldOid) || !isObjectId(newOid) || ref === '') {
    throw new Error('The hook sent a malformed command');
  }
  return { oldOid, newOid, ref };
}

function formatAnswer(lines: readonly string[], verdict: string): string {
  return [...lines.map((line) => `>${line}`), verdict, ''].join('\n');
}
