import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { NextFunction, Request, Response } from 'express';
import { routeOf } from '../http/http-adapter.js';
import { requestAddress } from '../http/request-address.js';
import { tracer } from './tracing.js';

/**
 * Makes a span of each request but those of probes, below the span of the client's `traceparent` if
 * it has one. Names and attributes follow the conventions of OpenTelemetry for HTTP servers. The
 * query is left out, since it can contain credentials.
 */
export function traceRequests(request: Request, response: Response, next: NextFunction): void {
  const [path = ''] = request.originalUrl.split('?', 1);
  if (path.startsWith('/-/')) {
    next();
    return;
  }
  const { method } = request;
  const parent = propagation.extract(ROOT_CONTEXT, request.headers);
  const attributes = {
    'http.request.method': method,
    'url.path': path,
    'url.scheme': request.protocol,
    'client.address': requestAddress(request) ?? '',
    'user_agent.original': request.headers['user-agent'] ?? '',
  };
  const span = tracer().startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
  response.locals['traceId'] = span.spanContext().traceId;
  response.once('close', () => {
    const route = routeOf(response);
    if (route !== undefined) {
      span.updateName(`${method} ${route}`);
      span.setAttribute('http.route', route);
    }
    span.setAttribute('http.response.status_code', response.statusCode);
    if (response.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
  context.with(trace.setSpan(parent, span), next);
}
