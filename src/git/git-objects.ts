import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { pathExists, replaceFile } from './durable-file.js';

const compress = promisify(deflate);
/** Objects written at the same time. */
const AT_ONCE = 16;

export interface Signature {
  name: string;
  email: string;
  date: Date;
}

export interface NewCommit {
  tree: string;
  parents: readonly string[];
  author: Signature;
  /** The author unless given. */
  committer?: Signature;
  message: string;
}

/** One file of a tree, however deep: its path and the blob's id. */
export interface TreeFile {
  path: string;
  oid: string;
  mode: string;
}

/**
 * New loose objects of a repository: each has its ID immediately, `flush` writes them all. Nothing
 * may name them before that.
 */
export class ObjectWriter {
  private readonly pending = new Map<string, Buffer>();

  constructor(private readonly repository: string) {}

  /** Returns the object's id. */
  add(type: 'blob' | 'tree' | 'commit' | 'tag', content: Buffer): string {
    const whole = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
    const oid = createHash('sha1').update(whole).digest('hex');
    this.pending.set(oid, whole);
    return oid;
  }

  /** A commit whose message ends with a line end. */
  addCommit({ tree, parents, author, committer = author, message }: NewCommit): string {
    const lines = [
      `tree ${tree}`,
      ...parents.map((parent) => `parent ${parent}`),
      `author ${identityLine(author)}`,
      `committer ${identityLine(committer)}`,
      '',
      withLineEnd(message),
    ];
    return this.add('commit', Buffer.from(lines.join('\n')));
  }

  /** Writes missing objects durably. */
  async flush(): Promise<void> {
    const objects = [...this.pending];
    this.pending.clear();
    for (let at = 0; at < objects.length; at += AT_ONCE) {
      const some = objects.slice(at, at + AT_ONCE);
      await Promise.all(some.map(([oid, whole]) => this.write(oid, whole)));
    }
  }

  private async write(oid: string, whole: Buffer): Promise<void> {
    const path = join(this.repository, 'objects', oid.slice(0, 2), oid.slice(2));
    if (!(await pathExists(path))) await replaceFile(path, await compress(whole));
  }
}

/** Returns name, email and date in the format of commits and tags. */
export function identityLine({ name, email, date }: Signature): string {
  const seconds = Math.floor(date.getTime() / 1000);
  return `${cleanIdentity(name)} <${cleanIdentity(email)}> ${seconds} +0000`;
}

/** The text, ended as git ends messages. */
export function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** Names can contain anything; git's header allows neither line ends nor angle brackets. */
function cleanIdentity(text: string): string {
  const cleaned = text.replace(/[\0\n\r<>]/g, ' ').trim();
  return cleaned === '' ? 'unknown' : cleaned;
}
