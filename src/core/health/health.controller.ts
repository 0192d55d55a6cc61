import { Controller, Get, Header, Res } from '@nestjs/common';
import type { Response } from 'express';
import { NoAuthentication } from '../access/access.decorator.js';
import { ReadinessService, type Readiness } from './readiness.service.js';

/** Health checks for whoever watches the process; no credentials, no secrets. */
@Controller('-')
@NoAuthentication()
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  /** The process answers. */
  @Get('health')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Header('Cache-Control', 'no-store')
  health(): string {
    return 'Guildhall OK';
  }

  /** The process answers, as JSON. */
  @Get('liveness')
  @Header('Cache-Control', 'no-store')
  liveness(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** 200 when the process can serve, else 503 with the failed checks. */
  @Get('readiness')
  @Header('Cache-Control', 'no-store')
  async ready(@Res({ passthrough: true }) response: Response): Promise<Readiness> {
    const readiness = await this.readiness.check();
    response.status(readiness.status === 'ok' ? 200 : 503);
    return readiness;
  }
}
