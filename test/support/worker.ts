import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Config } from '../../src/config/env.js';
import { WorkerModule } from '../../src/worker.module.js';
import type { TestApp } from './app.js';

/** A worker process' modules on the same database, queues and storages as the test app. */
export async function startTestWorker(
  { config }: Pick<TestApp, 'config'>,
  overrides: Partial<Config> = {},
): Promise<INestApplicationContext> {
  const worker = await NestFactory.createApplicationContext(
    WorkerModule.forRoot({ ...config, ...overrides }),
    { logger: config.logLevel === 'silent' ? false : ['error', 'warn'] },
  );
  return worker;
}
