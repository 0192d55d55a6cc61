import { Controller, Get, Header, Res } from '@nestjs/common';
import type { Response } from 'express';
import { NoAuthentication } from '../access/access.decorator.js';
import { ApiProduces, ApiResponses } from '../openapi/api.decorators.js';
import { ReadinessService, type Readiness } from './readiness.service.js';

/** Response of `/-/liveness`. */
export interface Liveness {
  status: 'ok';
}

/** Health checks for monitoring; no credentials, no secrets. */
@Controller('-')
@NoAuthentication()
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  /** Liveness check as text. */
  @Get('health')
  @ApiProduces('text/plain')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Header('Cache-Control', 'no-store')
  health(): string {
    return 'Guildhall OK';
  }

  /** Liveness check as JSON. */
  @Get('liveness')
  @Header('Cache-Control', 'no-store')
  liveness(): Liveness {
    return { status: 'ok' };
  }

  /** Readiness check: 200, or 503 with the failed checks. */
  @Get('readiness')
  @ApiResponses(200, 503)
  @Header('Cache-Control', 'no-store')
  async ready(@Res({ passthrough: true }) response: Response): Promise<Readiness> {
    const readiness = await this.readiness.check();
    response.status(readiness.status === 'ok' ? 200 : 503);
    return readiness;
  }
}
