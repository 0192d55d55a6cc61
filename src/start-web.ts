import type { Server } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { AppModule } from './app.module.js';
import type { Config } from './config/env.js';
import { configureApp } from './configure-app.js';
import { ReadinessService } from './core/health/health.controller.js';
import { NestLog } from './core/logger.js';
import { collectStartGarbage, type Stop } from './core/process.js';
import { HttpAdapter } from './core/http/http-adapter.js';
import { assertMigrated } from './database/sql/schema-state.js';

const IDLE_CHECK_MS = 50;

/** Time for clients to use a kept-alive connection once more, so that a response can end it. */
const DRAIN_MS = 5_000;

/**
 * Takes no new connections and waits for running requests; what still runs after `graceMs` is
 * cut off. Each further response ends its connection. Connections without a request are closed
 * after `drainMs`: at that moment a client can just be sending one, which fails.
 */
async function closeServer(
  server: Server,
  { drainMs, graceMs }: { drainMs: number; graceMs: number },
): Promise<void> {
  if (!server.listening) return;
  server.prependListener('request', (_, response) => response.setHeader('Connection', 'close'));
  // The method of http.Server closes connections without a request at once.
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve());
  });
  let idleCheck: NodeJS.Timeout | undefined;
  const drained = setTimeout(() => {
    server.closeIdleConnections();
    idleCheck = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  }, drainMs);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  try {
    await closed;
  } finally {
    clearTimeout(drained);
    clearInterval(idleCheck);
    clearTimeout(deadline);
  }
}

/** Maximum time for running requests and pushes after the stop signal. */
const GRACE_MS = 25_000;

/** Starts the application of a web process. */
export async function startWeb(config: Config, log: Logger): Promise<Stop> {
  await assertMigrated(config.databaseUrl);
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot(config),
    new HttpAdapter(),
    { bodyParser: false, logger: new NestLog(log), abortOnError: false },
  );
  configureApp(app, config, log);
  await app.init();
  collectStartGarbage();
  await app.listen(config.port, config.host);
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  log.info({ port, host: config.host, url: config.baseUrl }, 'web process is ready');
  return async ({ isReplaced }) => {
    // While another process takes the port over, the instance remains ready.
    if (!isReplaced) app.get(ReadinessService).startStopping();
    const drainMs = isReplaced ? DRAIN_MS : 0;
    await closeServer(app.getHttpServer() as Server, { drainMs, graceMs: GRACE_MS });
    await app.close();
  };
}
