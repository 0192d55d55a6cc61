import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Logger } from 'pino';
import type { Config } from './config/env.js';
import { ApiExceptionFilter } from './core/api-exception.filter.js';
import { followClient, boundPipelining } from './core/http/connections.js';
import { readBody } from './core/http/body.middleware.js';
import {
  warnOfUntrustedProxy,
  requestLogMiddleware,
  requestIdMiddleware,
} from './core/http/request-log.middleware.js';
import {
  allowOrigins,
  applyApiRules,
  checkRequestUrl,
  normaliseUrl,
  type OriginRule,
} from './core/http/request-rules.middleware.js';
import { traceRequests } from './core/tracing/request-spans.middleware.js';
import { isTracing } from './core/tracing/tracing.js';
import { AddressLimits } from './core/rate-limits/address-limits.service.js';
import { HttpMetrics } from './core/metrics/http-metrics.service.js';
import { createLog, NestLog } from './core/logger.js';
import { ReplicaReads } from './core/sql/replica/replica-reads.interceptor.js';
import { ErrorPages } from './core/ui/error-pages.service.js';
import type { HttpAdapter } from './core/http/http-adapter.js';
import {
  applyCollectorRules,
  COLLECTOR_URL,
} from './error-tracking/collector/collector.middleware.js';

const POSTED: OriginRule = { methods: 'POST, OPTIONS', headers: ['authorization'] };
const PUBLISHED: OriginRule = { methods: 'GET, HEAD', headers: [] };

/** OAuth endpoints that scripts of any origin can call, by path (API doc, Cross-origin rules). */
const OAUTH_ORIGIN_RULES: Readonly<Record<string, OriginRule>> = {
  '/oauth/token': POSTED,
  '/oauth/revoke': POSTED,
  '/oauth/token/info': { methods: 'GET, HEAD, OPTIONS', headers: ['authorization'] },
  '/oauth/userinfo': { methods: 'GET, HEAD, POST, OPTIONS', headers: ['authorization'] },
  '/oauth/discovery/keys': PUBLISHED,
  '/.well-known/openid-configuration': PUBLISHED,
  '/.well-known/oauth-authorization-server': PUBLISHED,
  '/.well-known/webfinger': PUBLISHED,
};

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
  app.get(HttpMetrics, { strict: false }).observe(app.getHttpServer());
  app.set('base url', config.baseUrl);
  app.set('trust proxy', config.trustProxy);
  app.setGlobalPrefix('api/v4', { exclude: OUTSIDE_API });
  const adapter = app.getHttpAdapter() as HttpAdapter;
  const steps = [
    boundPipelining,
    requestIdMiddleware({ isHttps: config.baseUrl.startsWith('https:') }),
    ...(isTracing() ? [traceRequests] : []),
    requestLogMiddleware(log),
    ...(config.trustProxy === false ? [warnOfUntrustedProxy(log)] : []),
    normaliseUrl,
    // Error SDKs send from any origin and expect other error formats.
    applyApiRules({ urls: COLLECTOR_URL, apply: applyCollectorRules }),
    allowOrigins(OAUTH_ORIGIN_RULES),
    checkRequestUrl,
    addressLimits.limitProtectedPaths,
    // Before bodies are read: packs are streamed, and alerts have their own limits.
    adapter.handleRawBodies,
    adapter.refuseUnroutedBodies,
    followClient,
    addressLimits.limitUnreadableBodies(readBody),
    adapter.handleRoutes,
  ];
  adapter.useInOrder(steps);
  if (config.databaseReplicaUrl !== undefined) {
    app.useGlobalInterceptors(app.get(ReplicaReads, { strict: false }));
  }
  app.useGlobalFilters(new ApiExceptionFilter(log, app.get(ErrorPages, { strict: false })));
}
