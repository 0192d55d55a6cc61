import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Controller, Get, Res, Inject, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { NoAuthentication } from '../access/access.decorator.js';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { packageFolder } from '../version/package-version.js';
import { ApiProduces } from './api.decorators.js';
import type { OAuthFlow, OpenApiDocument } from './openapi-document.js';

/** The API description of this instance. */
@Injectable()
export class ApiDescription {
  private text: CompressedText | null = null;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** OpenAPI 3.1. */
  get json(): CompressedText {
    this.text ??= new CompressedText(JSON.stringify(this.read()));
    return this.text;
  }

  /** Reads the committed file: parsed, it takes more memory than all that is kept of it. */
  read(): OpenApiDocument {
    const path = join(packageFolder(), 'docs', 'openapi.json');
    const committed = JSON.parse(readFileSync(path, 'utf8')) as OpenApiDocument;
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

/** A long text that stays the same, for everyone and without secrets: compressed once. */
class CompressedText {
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

/** The API description as OpenAPI. */
@Controller()
@NoAuthentication()
export class OpenApiController {
  constructor(private readonly description: ApiDescription) {}

  /** Sends this description as OpenAPI 3.1. */
  @Get('openapi.json')
  @ApiProduces('application/json')
  document(@Res({ passthrough: true }) response: Response): Buffer {
    // Not by @Header: Express would add a charset, which JSON does not have (RFC 8259 §11).
    response.setHeader('Content-Type', 'application/json');
    return this.description.json.bodyFor(response);
  }
}
