import type { NestExpressApplication } from '@nestjs/platform-express';
import { CollectorHandler } from './collector.handler.js';

/**
 * Puts the collector in front of the rules of the API and of everything that reads bodies: it has
 * cross-origin headers, limits and refusals of its own.
 */
export function mountCollector(app: NestExpressApplication): void {
  const handler = app.get(CollectorHandler, { strict: false });
  app.use(handler.handle);
}
