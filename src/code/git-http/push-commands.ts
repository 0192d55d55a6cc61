import type { Readable } from 'node:stream';
import { GitHttpError } from './git-http-error.js';
import { packetLength, packetLine } from './packet-lines.js';
import { readStart } from './request-body.js';

/** Limit of a push's ref commands: some 200,000 of them. git itself has no limit. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Hooks receive the options as environment variables, whose total size the system limits. */
const MAX_OPTIONS_BYTES = 64 * 1024;
const COMMAND = /^(?:[0-9a-f]{40} [0-9a-f]{40} [^\0]|shallow [0-9a-f]{40})/;

/** Length of both object ids in front of a ref's name. */
const IDS_LENGTH = 82;

/** The beginning of a push. */
export interface PushStart {
  /** All bytes read so far: the command list and perhaps some of the pack. */
  bytes: Buffer;
  /** Names of the refs to update, in order. */
  refs: readonly string[];
  /** Capabilities requested by the client. */
  capabilities: readonly string[];
  /** Values of `git push -o`, in order. */
  options: readonly string[];
  /** No commands: a client tests if a large push would be accepted. */
  isProbe: boolean;
}

/**
 * Reads the command list and the option list of a push (gitprotocol-pack(5)). Throws 400 for a
 * malformed list and 413 for too many refs or options, which git would hold in memory.
 */
export async function readPushStart(body: Readable): Promise<PushStart> {
  const list = new CommandList();
  const bytes = await readStart(body, (chunk) => list.isComplete(chunk));
  if (!list.isOver) throw malformed();
  const { refs, capabilities, options, isEmpty: isProbe } = list;
  return { bytes, refs, capabilities, options, isProbe };
}

class CommandList {
  isOver = false;
  isEmpty = true;
  capabilities: string[] = [];
  readonly refs: string[] = [];
  readonly options: string[] = [];
  /** True between the end of the command list and the end of the announced option list. */
  private isAtOptions = false;
  private size = 0;
  private optionsSize = 0;
  private rest: Buffer = Buffer.alloc(0);

  /** Adds bytes and returns whether they include the flush packet that ends the last list. */
  isComplete(chunk: Buffer): boolean {
    const bytes = Buffer.concat([this.rest, chunk]);
    let offset = 0;
    for (;;) {
      const length = packetLength(bytes, offset);
      if (length === 0) {
        if (!this.capabilities.includes('push-options') || this.isAtOptions) {
          this.isOver = true;
          return true;
        }
        this.isAtOptions = true;
        offset += 4;
        continue;
      }
      const shortest = this.isAtOptions ? 4 : 5;
      if (length !== null && !(length >= shortest)) throw malformed();
      if (length === null || offset + length > bytes.length) break;
      const line = bytes.subarray(offset + 4, offset + length);
      if (this.isAtOptions) this.takeOption(line);
      else this.take(line);
      offset += length;
    }
    this.rest = bytes.subarray(offset);
    return false;
  }

  private take(line: Buffer): void {
    this.isEmpty = false;
    this.size += line.length;
    if (this.size > MAX_BYTES) {
      throw new GitHttpError(413, 'The push updates too many references.');
    }
    if (!COMMAND.test(line.toString('latin1', 0, 83))) throw malformed();
    const [command = '', capabilities] = line.toString().split('\0', 2);
    if (capabilities !== undefined) this.capabilities = capabilities.trim().split(' ');
    if (!command.startsWith('shallow')) {
      this.refs.push(command.slice(IDS_LENGTH).replace(/\n$/, ''));
    }
  }

  private takeOption(line: Buffer): void {
    this.optionsSize += line.length;
    if (this.optionsSize > MAX_OPTIONS_BYTES) {
      throw new GitHttpError(413, 'The push options are larger than 64 KiB.');
    }
    this.options.push(line.toString('utf8').replace(/\n$/, ''));
  }
}

function malformed(): GitHttpError {
  return new GitHttpError(400, 'Git could not understand the request.');
}

const FLUSH = '0000';
const REPORT = 1;
const PROGRESS = 2;
/** A packet of side-band-64k has at most 65,520 bytes, its length and band included. */
const MAX_CONTENT = 65_515;

/**
 * Returns git's answer to a push whose commands are all refused, as if by the pre-receive hook
 * (gitprotocol-pack(5), "Report Status"): the client shows the reason.
 */
export function refusalReport(
  { refs, capabilities }: Pick<PushStart, 'refs' | 'capabilities'>,
  reason: string,
): Buffer {
  const isReported = capabilities.some((name) => /^report-status(?:-v2)?$/.test(name));
  const lines = refs.map((ref) => packetLine(`ng ${ref} pre-receive hook declined\n`));
  const report = Buffer.from(
    isReported ? [packetLine('unpack ok\n'), ...lines, FLUSH].join('') : '',
  );
  if (!capabilities.includes('side-band-64k')) return report;
  const packets = [sideBand(PROGRESS, Buffer.from(`Guildhall: ${reason}\n`))];
  for (let at = 0; at < report.length; at += MAX_CONTENT) {
    packets.push(sideBand(REPORT, report.subarray(at, at + MAX_CONTENT)));
  }
  return Buffer.concat([...packets, Buffer.from(FLUSH)]);
}

function sideBand(band: number, content: Buffer): Buffer {
  const length = (content.length + 5).toString(16).padStart(4, '0');
  return Buffer.concat([Buffer.from(length), Buffer.from([band]), content]);
}
