import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { CompressedText } from '../http/compressed-text.js';
import type { OAuthFlow, OpenApiDocument } from './openapi-document.js';

/** The committed API description, with the address of this instance. */
@Injectable()
export class ApiDescription {
  private text: CompressedText | null = null;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** Created on the first request, then cached; few instances ever serve it. */
  get json(): CompressedText {
    this.text ??= new CompressedText(JSON.stringify(this.read()));
    return this.text;
  }

  /** Reads it from its file: parsed, it takes more memory than all that is kept of it. */
  read(): OpenApiDocument {
    const committed = JSON.parse(readFileSync(committedFile(), 'utf8')) as OpenApiDocument;
    const { baseUrl } = this.config;
    for (const { flows = {} } of Object.values(committed.components.securitySchemes)) {
      Object.values(flows).forEach((flow) => placeFlow(flow, baseUrl));
    }
    return { ...committed, servers: [{ url: baseUrl, description: 'This instance' }] };
  }
}

/** Makes the endpoints of a flow absolute: many tools resolve no relative ones. */
function placeFlow(flow: OAuthFlow, baseUrl: string): void {
  for (const name of ['authorizationUrl', 'tokenUrl', 'refreshUrl'] as const) {
    flow[name] = baseUrl + flow[name];
  }
}

/** `docs/openapi.json` beside the nearest package.json: sources and build lie at other depths. */
function committedFile(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return join(folder, 'docs', 'openapi.json');
}
