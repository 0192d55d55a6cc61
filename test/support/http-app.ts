import type { NestExpressApplication } from '@nestjs/platform-express';
import type { TestingModule } from '@nestjs/testing';
import type { DestinationStream } from 'pino';
import type { Config } from '../../src/config/env.js';
import { configureApp } from '../../src/configure-app.js';
import { createLog } from '../../src/core/logger.js';
import { HttpAdapter } from '../../src/http-adapter.js';

/** The HTTP application around the modules, set up as the web process does it. */
export function createHttpApp(
  moduleRef: TestingModule,
  config: Config,
  logDestination?: DestinationStream,
): NestExpressApplication {
  const app = moduleRef.createNestApplication<NestExpressApplication>(new HttpAdapter(), {
    bodyParser: false,
  });
  configureApp(app, config, createLog(config.logLevel, logDestination));
  app.enableShutdownHooks();
  return app;
}
