import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';

const FOLDER = fileURLToPath(new URL('./assets', import.meta.url));
const PATH = '/-/assets';

/** A file that pages refer to. */
export interface Asset {
  name: string;
  mediaType: string;
  content: Buffer;
}

const MEDIA_TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The files of our pages, read once; each has a digest in its address, so it never changes. */
@Injectable()
export class Assets {
  private readonly byAddress = new Map<string, Asset>();
  private readonly addresses = new Map<string, string>();

  constructor() {
    for (const name of readdirSync(FOLDER)) this.add(name);
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
    const content = readFileSync(join(FOLDER, name));
    const address = `${base}-${hash('sha256', content, 'hex').slice(0, 16)}.${extension}`;
    this.byAddress.set(address, { name, mediaType, content });
    this.addresses.set(name, address);
  }
}
