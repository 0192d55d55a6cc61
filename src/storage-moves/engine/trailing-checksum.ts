import type { Hash } from 'node:crypto';
import { createHash } from 'node:crypto';

export type ObjectFormat = 'sha1' | 'sha256';

const WITH_TRAILER =
  /^objects\/(pack\/(pack-.*\.(pack|idx|rev|bitmap|mtimes)|multi-pack-index.*)|info\/(.*\/)?(commit-graph|graph-.*\.graph))$/;

/** Does git end this file with a checksum over everything before it? */
export function hasTrailingChecksum(path: string): boolean {
  return WITH_TRAILER.test(path);
}

/** Checks such a file while its chunks pass by; the file may be of any size. */
export class TrailingChecksum {
  private readonly hash: Hash;
  private readonly trailer: Buffer;
  private position = 0;

  constructor(
    format: ObjectFormat,
    private readonly size: number,
  ) {
    this.hash = createHash(format);
    this.trailer = Buffer.alloc(format === 'sha1' ? 20 : 32);
  }

  update(chunk: Buffer): void {
    const bodyLeft = Math.max(0, this.size - this.trailer.length - this.position);
    const body = chunk.subarray(0, bodyLeft);
    this.hash.update(body);
    this.position += body.length;
    const tail = chunk.subarray(body.length);
    const written = this.position - Math.max(0, this.size - this.trailer.length);
    tail.copy(this.trailer, Math.max(0, written));
    this.position += tail.length;
  }

  isRight(): boolean {
    return this.size > this.trailer.length && this.hash.digest().equals(this.trailer);
  }
}
