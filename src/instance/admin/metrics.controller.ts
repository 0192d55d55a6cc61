import { Controller, Get, Header, Headers, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Registry } from 'prom-client';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { NoAuthentication } from '../../core/access/access.decorator.js';
import { RouteNotFoundError, UnauthorizedError } from '../../core/errors.js';
import { ApiErrors, ApiProduces } from '../../core/openapi/api.decorators.js';
import { isBearer } from '../../core/secrets.js';
import { InstanceMetrics } from './instance-metrics.service.js';

/** Metrics of the instance, with a credential of their own. */
@Controller('-')
@NoAuthentication()
export class MetricsController {
  constructor(
    private readonly metrics: InstanceMetrics,
    @Inject(CONFIG) private readonly config: Pick<Config, 'metricsToken'>,
  ) {}

  /** Metrics as text; 404 unless METRICS_TOKEN is set, 401 without it as a Bearer token. */
  @Get('metrics')
  @ApiProduces('text/plain')
  @ApiErrors(401, 404)
  @Header('Cache-Control', 'no-store')
  async read(
    @Headers('authorization') authorization: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const { metricsToken } = this.config;
    if (metricsToken === undefined) throw new RouteNotFoundError();
    if (!isBearer(authorization, metricsToken)) throw new UnauthorizedError();
    response.type(Registry.PROMETHEUS_CONTENT_TYPE);
    return this.metrics.text();
  }
}
