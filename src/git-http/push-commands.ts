import type { Readable } from 'node:stream';
import { GitRefusal } from './git-refusal.js';
import { packetLength } from './packet-lines.js';
import { readStart } from './request-body.js';

/** What a push may spend on naming its refs: some 200,000 of them. git itself has no bound. */
const MAX_BYTES = 32 * 1024 * 1024;
const COMMAND = /^(?:[0-9a-f]{40} [0-9a-f]{40} [^\0]|shallow [0-9a-f]{40})/;

/** The beginning of a push. */
export interface PushStart {
  /** All bytes read so far: the command list and perhaps some of the pack. */
  bytes: Buffer;
  /** No commands: a client asks whether a large push would be let in. */
  isProbe: boolean;
}

/**
 * Reads a push as far as the list of its commands (gitprotocol-pack(5)). Refuses with 400 what is
 * no such list, with 413 what names too many refs: git would keep them all in memory.
 */
export async function readPushStart(body: Readable): Promise<PushStart> {
  const list = new CommandList();
  const bytes = await readStart(body, (chunk) => list.isComplete(chunk));
  if (!list.isOver) throw malformed();
  return { bytes, isProbe: list.isEmpty };
}

class CommandList {
  isOver = false;
  isEmpty = true;
  private size = 0;
  private rest: Buffer = Buffer.alloc(0);

  /** Takes the next bytes; true when the flush packet that ends the list is among them. */
  isComplete(chunk: Buffer): boolean {
    const bytes = Buffer.concat([this.rest, chunk]);
    let offset = 0;
    for (;;) {
      const length = packetLength(bytes, offset);
      if (length === 0) {
        this.isOver = true;
        return true;
      }
      if (length !== null && !(length > 4)) throw malformed();
      if (length === null || offset + length > bytes.length) break;
      this.take(bytes.subarray(offset + 4, offset + length));
      offset += length;
    }
    this.rest = bytes.subarray(offset);
    return false;
  }

  private take(line: Buffer): void {
    this.isEmpty = false;
    this.size += line.length;
    if (this.size > MAX_BYTES) {
      throw new GitRefusal(413, 'The push updates too many references.');
    }
    if (!COMMAND.test(line.toString('latin1', 0, 83))) throw malformed();
  }
}

function malformed(): GitRefusal {
  return new GitRefusal(400, 'Git could not understand the request.');
}
