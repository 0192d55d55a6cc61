import type { NestExpressApplication } from '@nestjs/platform-express';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { TestingModule } from '@nestjs/testing';
import type { Config } from '../../src/config/env.js';

/** The HTTP application around the modules, set up as the web process does it. */
export function createHttpApp(moduleRef: TestingModule, config: Config): NestExpressApplication {
  const app = moduleRef.createNestApplication<NestExpressApplication>(new ExpressAdapter(), {
    logger: config.logLevel === 'silent' ? false : ['error', 'warn'],
  });
  app.setGlobalPrefix('api/v4');
  app.set('query parser', 'extended');
  app.set('base url', config.baseUrl);
  app.enableShutdownHooks();
  return app;
}
