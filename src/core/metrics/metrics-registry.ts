import { Inject, Injectable } from '@nestjs/common';
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { onGroupRequest, processNumber, requestGroup } from '../process-group.js';
import { packageVersion } from '../version/package-version.js';
import { processMetrics } from './process-metrics.js';

type MetricObjects = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

/** Registry of this process's metrics, which `/-/metrics` returns with those of its group. */
@Injectable()
export class MetricsRegistry {
  readonly registry = new Registry();
  /** False without METRICS_TOKEN: metrics that no one can read are not measured for every request. */
  readonly isEnabled: boolean;

  constructor(@Inject(CONFIG) { metricsToken }: Pick<Config, 'metricsToken'>) {
    this.isEnabled = metricsToken !== undefined;
    for (const metric of processMetrics) this.registry.registerMetric(metric);
    if (!this.isEnabled) return;
    if (processNumber !== null) {
      this.registry.setDefaultLabels({ process: String(processNumber) });
      onGroupRequest(async () => JSON.stringify(await this.registry.getMetricsAsJSON()));
    }
    collectDefaultMetrics({ register: this.registry });
    const build = new Gauge({
      name: 'guildhall_build_info',
      help: 'Version of the running process, always 1',
      labelNames: ['version'],
      registers: [this.registry],
    });
    build.set({ version: packageVersion() }, 1);
  }

  /**
   * Returns the metrics of all processes that share the port, told apart by the label `process`.
   * A process that does not respond in time is left out.
   */
  async text(): Promise<string> {
    if (processNumber === null) return this.registry.metrics();
    const [own, others] = await Promise.all([this.registry.getMetricsAsJSON(), requestGroup()]);
    const all = [own, ...others.map((text) => JSON.parse(text) as MetricObjects)];
    // Sums would fall, and count twice, when a process is replaced. By their labels, values of
    // different processes never meet, so that nothing is summed up or left out.
    for (const metric of all.flat()) metric.aggregator = 'sum';
    return AggregatorRegistry.aggregate(all).metrics();
  }
}
