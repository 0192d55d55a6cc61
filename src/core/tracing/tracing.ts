import {
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
  type Tracer,
} from '@opentelemetry/api';

let isOn = false;

/** Returns true if this process sends spans; otherwise tracing costs nothing. */
export function isTracing(): boolean {
  return isOn;
}

/**
 * Begins to send spans to the collector that the environment names (OTEL_EXPORTER_OTLP_ENDPOINT and
 * the other variables of OpenTelemetry). `service` is their name unless OTEL_SERVICE_NAME says
 * otherwise. Returns a function that sends the remaining spans and stops tracing.
 */
export async function startTracing(service: string): Promise<() => Promise<void>> {
  // Only installations that trace load the SDK.
  const { startSdk } = await import('./tracing-sdk.js');
  const stopSdk = startSdk(service);
  isOn = true;
  return () => {
    isOn = false;
    return stopSdk();
  };
}

export function tracer(): Tracer {
  return trace.getTracer('guildhall');
}

/** Runs a job or a periodic task in a span without a parent; a rejection fails the span. */
export async function inRootSpan<T>(
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  if (!isOn) return work();
  const options = { kind: SpanKind.CONSUMER, attributes, root: true };
  return tracer().startActiveSpan(name, options, async (span) => {
    try {
      const result = await work();
      span.end();
      return result;
    } catch (error) {
      endFailed(span, error);
      throw error;
    }
  });
}

/**
 * Begins a span of a request to another program inside the current request or job; null outside of
 * both, where waiting commands of queues and checks of health would be most of all spans.
 */
export function startClientSpan(name: string, attributes: Attributes): Span | null {
  if (!isOn || trace.getActiveSpan() === undefined) return null;
  return tracer().startSpan(name, { kind: SpanKind.CLIENT, attributes });
}

/** Ends a span with the kind of the error, whose message can contain data of clients. */
export function endFailed(span: Span, error: unknown): void {
  const type = error instanceof Error ? error.constructor.name : typeof error;
  span.setAttribute('error.type', (error as { code?: string } | null)?.code ?? type);
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
