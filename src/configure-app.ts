import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import type { Config } from './config/env.js';
import { ApiExceptionFilter } from './core/api-exception.filter.js';
import { applyApiRules } from './core/http/api-rules.middleware.js';
import { followClient, boundPipelining } from './core/http/connections.js';
import { readBody } from './core/http/body.middleware.js';
import { checkRequestUrl, normaliseUrl } from './core/http/request-url.js';
import {
  warnOfUntrustedProxy,
  requestLogMiddleware,
  requestIdMiddleware,
} from './core/http/request-log.middleware.js';
import { AddressLimits } from './core/rate-limits/address-limits.service.js';
import { createLog, NestLog } from './core/logger.js';
import { ErrorPages } from './core/ui/error-pages.service.js';
import {
  applyCollectorRules,
  isCollectorPath,
} from './error-tracking/collector/collector.middleware.js';
import type { HttpAdapter } from './core/http/http-adapter.js';
import { allowOAuthOrigins } from './oauth/oauth-cors.js';

/** Paths of controllers that are not part of the REST API. */
const OUTSIDE_API = ['-/*path'];

/**
 * Sets the application up before `init()`: the same for the web process and for tests.
 * It must have been created with an HttpAdapter and `bodyParser: false`.
 */
export function configureApp(
  app: NestExpressApplication,
  config: Config,
  log: Logger = createLog(config.logLevel),
): void {
  const addressLimits = app.get(AddressLimits, { strict: false });
  app.useLogger(new NestLog(log));
  app.set('base url', config.baseUrl);
  app.set('trust proxy', config.trustProxy);
  app.setGlobalPrefix('api/v4', { exclude: OUTSIDE_API });
  app.use(boundPipelining);
  app.use(requestIdMiddleware({ isHttps: config.baseUrl.startsWith('https:') }));
  app.use(requestLogMiddleware(log));
  if (config.trustProxy === false) app.use(warnOfUntrustedProxy(log));
  app.use(normaliseUrl);
  // Before the rules of the API: error SDKs send from any origin and expect other error formats.
  app.use(applyCollectorRules);
  app.use(applyApiRules({ except: isCollectorPath }));
  app.use(allowOAuthOrigins);
  app.use(checkRequestUrl);
  app.use(addressLimits.limitProtectedPaths);
  // Before bodies are read: packs are streamed, and alerts have their own limits.
  const adapter = app.getHttpAdapter() as HttpAdapter;
  app.use(adapter.handleRawBodies);
  app.use(adapter.refuseUnroutedBodies);
  app.use(followClient);
  app.use(addressLimits.limitUnreadableBodies(readBody));
  app.useGlobalFilters(new ApiExceptionFilter(log, app.get(ErrorPages, { strict: false })));
}
