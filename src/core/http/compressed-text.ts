import { gzipSync } from 'node:zlib';
import type { Response } from 'express';

/** A long text that stays the same, for everyone and without secrets: compressed once. */
export class CompressedText {
  private readonly plain: Buffer;
  private readonly gzip: Buffer;

  constructor(text: string) {
    this.plain = Buffer.from(text);
    this.gzip = gzipSync(this.plain);
  }

  /** Returns the body in an accepted encoding and sets its headers (RFC 9110 §12.5.3). */
  bodyFor(response: Response): Buffer {
    response.vary('Accept-Encoding');
    if (response.req.acceptsEncodings('gzip') !== 'gzip') return this.plain;
    response.setHeader('Content-Encoding', 'gzip');
    return this.gzip;
  }
}
