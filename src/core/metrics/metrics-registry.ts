import { Inject, Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { packageVersion } from '../version/package-version.js';
import { processMetrics } from './process-metrics.js';

/** Registry of this process's metrics for `/-/metrics`. */
@Injectable()
export class MetricsRegistry {
  readonly registry = new Registry();
  /** False without METRICS_TOKEN: metrics that no one can read are not measured for every request. */
  readonly isEnabled: boolean;

  constructor(@Inject(CONFIG) { metricsToken }: Pick<Config, 'metricsToken'>) {
    this.isEnabled = metricsToken !== undefined;
    for (const metric of processMetrics) this.registry.registerMetric(metric);
    if (!this.isEnabled) return;
    collectDefaultMetrics({ register: this.registry });
    const build = new Gauge({
      name: 'guildhall_build_info',
      help: 'Version of the running process, always 1',
      labelNames: ['version'],
      registers: [this.registry],
    });
    build.set({ version: packageVersion() }, 1);
  }
}
