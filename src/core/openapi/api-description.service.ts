import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { CompressedText } from '../http/compressed-text.js';
import type { OpenApiDocument } from './openapi-document.js';

/** The committed API description, with the address of this installation; read once. */
@Injectable()
export class ApiDescription {
  readonly document: OpenApiDocument;
  readonly json: CompressedText;

  constructor(@Inject(CONFIG) { baseUrl }: Config) {
    const committed = JSON.parse(readFileSync(committedFile(), 'utf8')) as OpenApiDocument;
    const servers = [{ url: baseUrl, description: 'This installation' }];
    this.document = { ...committed, servers };
    this.json = new CompressedText(JSON.stringify(this.document));
  }
}

/** `docs/openapi.json` beside the nearest package.json: sources and build lie at other depths. */
function committedFile(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return join(folder, 'docs', 'openapi.json');
}
