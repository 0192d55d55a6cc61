import { Inject, Injectable } from '@nestjs/common';
import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type Metric,
} from 'prom-client';
import { CONFIG } from '../../config/config.module.js';
import type { Config } from '../../config/env.js';
import { onGroupRequest, processNumber, requestGroup } from '../process-group.js';
import { packageVersion } from '../version/package-version.js';

/** Metrics of functions without a provider: one for the whole process, part of every registry. */
const processMetrics: Metric[] = [];

function shared<M extends Metric>(metric: M): M {
  processMetrics.push(metric);
  return metric;
}

interface Description<Label extends string> {
  name: string;
  help: string;
  labelNames?: readonly Label[];
}

/** Creates a counter that every registry of the process includes. */
export function processCounter<Label extends string = never>(
  description: Description<Label>,
): Counter<Label> {
  return shared(new Counter({ ...description, registers: [] }));
}

/** Creates a gauge that every registry of the process includes. */
export function processGauge(description: Description<never>): Gauge {
  return shared(new Gauge({ ...description, registers: [] }));
}

/** Creates a histogram that every registry of the process includes. */
export function processHistogram<Label extends string = never>(
  description: Description<Label> & { buckets: number[] },
): Histogram<Label> {
  return shared(new Histogram({ ...description, registers: [] }));
}

const cacheRequests = processCounter({
  name: 'guildhall_cache_requests_total',
  help: 'Lookups in the caches of this process by result',
  labelNames: ['cache', 'result'],
});

/** Counts a lookup in a cache; the names of caches are fixed by the code. */
export function countCacheRequest(cache: string, isHit: boolean): void {
  cacheRequests.inc({ cache, result: isHit ? 'hit' : 'miss' });
}

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
