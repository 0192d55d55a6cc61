import { NestFactory } from '@nestjs/core';
import type { Logger } from 'pino';
import type { Config } from './config/env.js';
import { NestLog } from './core/logger.js';
import { assertMigrated } from './database/schema-state.js';
import { runProcess, type Stop } from './core/process.js';
import { WorkerModule } from './worker.module.js';

/** The worker process: jobs and sweeps, no HTTP. */
async function startWorker(config: Config, log: Logger): Promise<Stop> {
  await assertMigrated(config.databaseUrl);
  const worker = await NestFactory.createApplicationContext(WorkerModule.forRoot(config), {
    logger: new NestLog(log),
    abortOnError: false,
  });
  log.info('worker process is ready');
  return () => worker.close();
}

runProcess(startWorker);
