import { Controller, Get, Header, Res } from '@nestjs/common';
import type { Response } from 'express';
import { NoAuthentication } from '../access/access.decorator.js';
import { ApiProduces } from './api.decorators.js';
import { PAGE_SECURITY_POLICY } from '../ui/layout.js';
import { ApiDescription } from './api-description.service.js';
import { ReferencePages } from './reference-pages.service.js';

/** The API's description of itself: for programs and for people. */
@Controller()
@NoAuthentication()
export class OpenApiController {
  constructor(
    private readonly description: ApiDescription,
    private readonly pages: ReferencePages,
  ) {}

  /** Sends this description as OpenAPI 3.1. */
  @Get('openapi.json')
  @ApiProduces('application/json')
  document(@Res({ passthrough: true }) response: Response): Buffer {
    // Not by @Header: Express would add a charset, which JSON does not have (RFC 8259 §11).
    response.setHeader('Content-Type', 'application/json');
    return this.description.json.bodyFor(response);
  }

  /** Shows this description as a page. It needs no script and no other server. */
  @Get('-/docs/api')
  @ApiProduces('text/html')
  @Header('Content-Security-Policy', PAGE_SECURITY_POLICY)
  @Header('Referrer-Policy', 'same-origin')
  reference(@Res({ passthrough: true }) response: Response): Buffer {
    return this.pages.reference().bodyFor(response);
  }
}
