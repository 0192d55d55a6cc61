import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import { AppModule } from './app.module.js';
import type { Config } from './config/env.js';
import { configureApp } from './configure-app.js';
import { assertMigrated } from './database/schema-state.js';
import { ReadinessService } from './core/health/health.controller.js';
import { NestLog } from './core/logger.js';
import { runProcess, type Stop } from './core/process.js';
import { HttpAdapter } from './core/http/http-adapter.js';

const IDLE_CHECK_MS = 50;

/**
 * Takes no new connections and waits for running requests; what still runs after `graceMs` is
 * cut off. Kept-alive connections are closed as soon as their request is over.
 */
async function closeServer(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const idleCheck = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  try {
    await closed;
  } finally {
    clearInterval(idleCheck);
    clearTimeout(deadline);
  }
}

/** Maximum time for running requests and pushes after the stop signal. */
const GRACE_MS = 25_000;

/** The web process. */
async function startWeb(config: Config, log: Logger): Promise<Stop> {
  await assertMigrated(config.databaseUrl);
  const app = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot(config),
    new HttpAdapter(),
    { bodyParser: false, logger: new NestLog(log), abortOnError: false },
  );
  configureApp(app, config, log);
  await app.listen(config.port, config.host);
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  log.info({ port, host: config.host, url: config.baseUrl }, 'web process is ready');
  return async () => {
    app.get(ReadinessService).startStopping();
    await closeServer(app.getHttpServer() as Server, GRACE_MS);
    await app.close();
  };
}

runProcess('web', startWeb);
