import { tracingChannel } from 'node:diagnostics_channel';
import { context, propagation, trace, type Span } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { packageVersion } from '../version/package-version.js';
import { endFailed, startClientSpan } from './tracing.js';

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

/** A command as ioredis publishes it. */
interface Command {
  command: string;
  error?: unknown;
}

/** Makes spans of the commands that ioredis publishes; returns a function that stops it. */
function traceRedis(): () => void {
  const channel = tracingChannel<unknown, Command>('ioredis:command');
  const spans = new WeakMap<Command, Span>();
  const subscriber = {
    start(command: Command): void {
      const name = command.command.toUpperCase();
      const attributes = { 'db.system.name': 'redis', 'db.operation.name': name };
      const span = startClientSpan(name, attributes);
      if (span !== null) spans.set(command, span);
    },
    end: () => undefined,
    asyncStart: () => undefined,
    asyncEnd(command: Command): void {
      const span = spans.get(command);
      if (command.error === undefined) span?.end();
      else if (span !== undefined) endFailed(span, command.error);
    },
    error: () => undefined,
  };
  channel.subscribe(subscriber);
  return () => channel.unsubscribe(subscriber);
}
