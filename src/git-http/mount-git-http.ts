import type { NestExpressApplication } from '@nestjs/platform-express';
import { GitHttpHandler } from './git-http.handler.js';

/**
 * Puts Git in front of everything that reads bodies: packs are streamed, and their refusals are
 * plain text. Call it before body parsers are registered.
 */
export function mountGitHttp(app: NestExpressApplication): void {
  const handler = app.get(GitHttpHandler, { strict: false });
  app.use(handler.handle);
}
