import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Registry } from 'prom-client';
import type { Config } from '../../config/env.js';
import type { MetricsRegistry } from '../metrics/metrics-registry.js';
import { isBearer } from '../secrets.js';

/** A worker has no other requests than probes and scrapes. */
const MAX_CONNECTIONS = 20;
const TIMEOUT_MS = 10_000;

/**
 * Serves `/-/liveness` and `/-/metrics` of the worker process at WORKER_PORT; null without one.
 * Metrics need METRICS_TOKEN, as those of the web process.
 */
export async function startWorkerServer(
  { workerPort, host, metricsToken }: Pick<Config, 'workerPort' | 'host' | 'metricsToken'>,
  metrics: MetricsRegistry,
): Promise<Server | null> {
  if (workerPort === undefined) return null;
  const server = createServer({ requestTimeout: TIMEOUT_MS }, (request, response) => {
    respond(request, metricsToken, metrics).then(
      (result) => send(response, result),
      () => send(response, [500, 'application/json', '{"message":"500 Internal Server Error"}']),
    );
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.listen(workerPort, host);
  await once(server, 'listening');
  return server;
}

/** The response to a probe or scrape. */
type ProbeResponse = [status: number, type: string, body: string];

async function respond(
  { method, url = '', headers }: IncomingMessage,
  metricsToken: string | undefined,
  metrics: MetricsRegistry,
): Promise<ProbeResponse> {
  const [path] = url.split('?', 1);
  const isRead = method === 'GET' || method === 'HEAD';
  if (isRead && path === '/-/liveness') return [200, 'application/json', '{"status":"ok"}'];
  if (!isRead || path !== '/-/metrics' || metricsToken === undefined) {
    return [404, 'application/json', '{"message":"404 Not Found"}'];
  }
  if (!isBearer(headers.authorization, metricsToken)) {
    return [401, 'application/json', '{"message":"401 Unauthorized"}'];
  }
  return [200, Registry.PROMETHEUS_CONTENT_TYPE, await metrics.text()];
}

function send(response: ServerResponse, [status, type, body]: ProbeResponse): void {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
  response.end(body);
}
