import type { NestExpressApplication } from '@nestjs/platform-express';
import type { TestingModule } from '@nestjs/testing';
import type { Logger } from 'pino';
import type { Config } from '../../src/config/env.js';
import { configureApp } from '../../src/configure-app.js';
import { HttpAdapter } from '../../src/core/http/http-adapter.js';

/** The HTTP application around the modules, set up as the web process does it. */
export function createHttpApp(
  moduleRef: TestingModule,
  config: Config,
  log?: Logger,
): NestExpressApplication {
  const app = moduleRef.createNestApplication<NestExpressApplication>(new HttpAdapter(), {
    bodyParser: false,
  });
  configureApp(app, config, log);
  return app;
}
