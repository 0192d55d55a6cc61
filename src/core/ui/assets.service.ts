import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';

const FOLDER = fileURLToPath(new URL('./assets', import.meta.url));
const PATH = '/-/assets';

const MEDIA_TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  woff2: 'font/woff2',
};

/** A file that pages refer to; text is compressed once, when it is first asked for. */
class Asset {
  private brotli: Buffer | null = null;
  private gzip: Buffer | null = null;

  constructor(
    readonly mediaType: string,
    private readonly content: Buffer,
  ) {}

  /** Returns the body in an accepted encoding and sets its headers (RFC 9110 §12.5.3). */
  bodyFor(response: Response): Buffer {
    response.setHeader('Content-Type', this.mediaType);
    if (this.mediaType === MEDIA_TYPES['woff2']) return this.content;
    response.vary('Accept-Encoding');
    const { req: request } = response;
    const encoding = request.acceptsEncodings('br') || request.acceptsEncodings('gzip');
    if (encoding === false) return this.content;
    response.setHeader('Content-Encoding', encoding);
    if (encoding === 'br') return (this.brotli ??= brotliCompressSync(this.content));
    return (this.gzip ??= gzipSync(this.content));
  }
}

/** The files of our pages, read once; each has a digest in its address, so it never changes. */
@Injectable()
export class Assets {
  private readonly byAddress = new Map<string, Asset>();
  private readonly addresses = new Map<string, string>();

  constructor() {
    const names = readdirSync(FOLDER);
    const isStyleSheet = (name: string): boolean => name.endsWith('.css');
    // Style sheets name other files, whose addresses have to be known before.
    for (const name of names.filter((one) => !isStyleSheet(one))) this.add(name);
    for (const name of names.filter(isStyleSheet)) this.add(name);
  }

  /** The path under which pages refer to the file; throws for one that is not there. */
  pathOf(name: string): string {
    const address = this.addresses.get(name);
    if (address === undefined) throw new Error(`no asset ${name}`);
    return `${PATH}/${address}`;
  }

  /** The file with this digest in its address, else null. */
  find(address: string): Asset | null {
    return this.byAddress.get(address) ?? null;
  }

  private add(name: string): void {
    const [base = '', extension = ''] = name.split('.');
    const mediaType = MEDIA_TYPES[extension];
    if (mediaType === undefined) throw new Error(`asset ${name} has no media type`);
    const content = this.read(name);
    const address = `${base}-${hash('sha256', content, 'hex').slice(0, 16)}.${extension}`;
    this.byAddress.set(address, new Asset(mediaType, content));
    this.addresses.set(name, address);
  }

  /** Style sheets refer to files beside them by name: `url(inter.woff2)`. */
  private read(name: string): Buffer {
    const content = readFileSync(join(FOLDER, name));
    if (!name.endsWith('.css')) return content;
    const text = content.toString();
    return Buffer.from(
      text.replace(/url\((\w+\.woff2)\)/g, (_, file: string) => `url(${this.pathOf(file)})`),
    );
  }
}
