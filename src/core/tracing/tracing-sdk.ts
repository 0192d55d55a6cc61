import { context, propagation, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { packageVersion } from '../version/package-version.js';
import { traceRedis } from './redis-spans.js';

/** A process that ends waits so long for a collector that does not answer. */
const SEND_MS = 3_000;

/** Registers the provider of spans; returns a function that sends the remaining spans and stops tracing. */
export function startSdk(service: string): () => Promise<void> {
  const own = { 'service.name': service, 'service.version': packageVersion() };
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes(own))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ timeoutMillis: SEND_MS }))],
  });
  provider.register();
  const stopRedis = traceRedis();
  return async () => {
    stopRedis();
    trace.disable();
    context.disable();
    propagation.disable();
    await provider.shutdown();
  };
}
