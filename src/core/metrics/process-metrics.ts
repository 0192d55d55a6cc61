import { Counter, Gauge, Histogram, type Metric } from 'prom-client';

/** Metrics of functions without a provider: one for the whole process, part of every registry. */
export const processMetrics: Metric[] = [];

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
