import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Counter, Gauge, Histogram } from 'prom-client';
import { routeOf } from '../http/http-adapter.js';
import { MetricsRegistry } from './metrics-registry.js';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Requests that were refused before a route was found, or have none. */
const NO_ROUTE = 'unmatched';
const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Counts HTTP requests and measures their durations. Labels are bounded: routes are the templates of
 * our controllers, and unknown methods share one value.
 */
@Injectable()
export class HttpMetrics {
  private readonly isEnabled: boolean;
  private readonly requests: Counter<'method' | 'route' | 'code'>;
  private readonly durations: Histogram<'method' | 'route'>;
  private inFlight = 0;

  constructor({ registry, isEnabled }: MetricsRegistry) {
    this.isEnabled = isEnabled;
    const registers = isEnabled ? [registry] : [];
    this.requests = new Counter({
      name: 'guildhall_http_requests_total',
      help: 'HTTP requests by route, method and status; 499 if the client left before the response',
      labelNames: ['method', 'route', 'code'],
      registers,
    });
    this.durations = new Histogram({
      name: 'guildhall_http_request_duration_seconds',
      help: 'Time from the request to the end of the response by route and method',
      labelNames: ['method', 'route'],
      buckets: SECONDS,
      registers,
    });
    const inFlight = (): number => this.inFlight;
    new Gauge({
      name: 'guildhall_http_requests_in_flight',
      help: 'HTTP requests whose response is not finished',
      registers,
      collect() {
        this.set(inFlight());
      },
    });
  }

  /** Measures all requests of a server, also those that no middleware sees. */
  observe(server: Server): void {
    // Before the application, which can respond at once.
    if (this.isEnabled) server.prependListener('request', this.observeRequest);
  }

  private readonly observeRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const startedAt = performance.now();
    this.inFlight += 1;
    response.once('close', () => {
      this.inFlight -= 1;
      const method = METHODS.has(request.method ?? '') ? request.method : 'other';
      const route = routeOf(response as Response) ?? NO_ROUTE;
      const code = response.writableFinished ? response.statusCode : 499;
      this.requests.inc({ method, route, code });
      this.durations.observe({ method, route }, (performance.now() - startedAt) / 1000);
    });
  };
}
