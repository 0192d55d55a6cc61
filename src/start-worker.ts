import { NestFactory } from '@nestjs/core';
import type { Logger } from 'pino';
import type { Config } from './config/env.js';
import { startWorkerServer } from './core/health/worker-server.js';
import { NestLog } from './core/logger.js';
import { MetricsRegistry } from './core/metrics/metrics-registry.js';
import { collectStartGarbage, type Stop } from './core/process.js';
import { assertMigrated } from './database/sql/schema-state.js';
import { WorkerModule } from './worker.module.js';

/** Starts the application of a worker process: jobs and sweeps; HTTP only for probes and metrics. */
export async function startWorker(config: Config, log: Logger): Promise<Stop> {
  await assertMigrated(config.databaseUrl);
  const worker = await NestFactory.createApplicationContext(WorkerModule.forRoot(config), {
    logger: new NestLog(log),
    abortOnError: false,
  });
  collectStartGarbage();
  const server = await startWorkerServer(config, worker.get(MetricsRegistry));
  log.info({ port: config.workerPort }, 'worker process is ready');
  return async () => {
    server?.close();
    server?.closeAllConnections();
    await worker.close();
  };
}
