import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { runGit } from '../../src/git/git-process.js';
import type { TestApp } from '../support/app.js';
import { basic, type RawAnswer } from './world.js';

/** One ref update as a client would send it; `pack` may be empty for deletions. */
export interface RawPush {
  ref: string;
  oldOid: string;
  newOid: string;
  pack: Buffer;
}

/** The body of a POST to git-receive-pack. */
export function pushBody(...pushes: RawPush[]): Buffer {
  const lines = pushes.map(({ ref, oldOid, newOid }, index) => {
    const capabilities = index === 0 ? '\0report-status side-band-64k' : '';
    const line = Buffer.from(`${oldOid} ${newOid} ${ref}${capabilities}`, 'latin1');
    const length = (line.length + 4).toString(16).padStart(4, '0');
    return Buffer.concat([Buffer.from(length), line]);
  });
  return Buffer.concat([...lines, Buffer.from('0000'), ...pushes.map(({ pack }) => pack)]);
}

/** A pack with everything that `newOid` has and `oldOid` has not. */
export async function makePack(clone: string, newOid: string, oldOid: string): Promise<Buffer> {
  const input = `${newOid}\n^${oldOid}\n`;
  const args = ['pack-objects', '--revs', '--stdout', '--thin', '-q'];
  return (await runGit(args, { cwd: clone, input })).stdout;
}

/** A push whose bytes the test sends when it wants; the last word is `end` or `abort`. */
export class SlowPush {
  private readonly sent: ClientRequest;

  constructor(app: TestApp, path: string, token: string) {
    this.sent = request(`${app.url}/${path}.git/git-receive-pack`, {
      method: 'POST',
      agent: false,
      headers: {
        Authorization: basic(token),
        'Content-Type': 'application/x-git-receive-pack-request',
        'Transfer-Encoding': 'chunked',
      },
    });
    // Aborting is what some tests are about.
    this.sent.on('error', () => undefined);
  }

  write(bytes: Buffer): void {
    this.sent.write(bytes);
  }

  end(): void {
    this.sent.end();
  }

  abort(): void {
    this.sent.destroy();
  }

  async answer(): Promise<RawAnswer> {
    const [response] = (await once(this.sent, 'response')) as [IncomingMessage];
    const bytes = await buffer(response);
    const { statusCode: status = 0, headers } = response;
    return { status, headers, bytes, body: bytes.toString('latin1') };
  }
}
