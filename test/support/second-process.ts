import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test } from '@nestjs/testing';
import { AppModule } from '../../src/app.module.js';
import { createLog } from '../../src/core/logger.js';
import type { TestApp } from './app.js';
import { createHttpApp } from './http-app.js';

/** Another web process on the same database; close it before the first one. */
export async function startSecondProcess({
  config,
}: Pick<TestApp, 'config'>): Promise<NestExpressApplication> {
  const modules = Test.createTestingModule({ imports: [AppModule.forRoot(config)] });
  const made = createHttpApp(await modules.compile(), config, createLog('silent'));
  await made.listen(0, '127.0.0.1');
  return made;
}
