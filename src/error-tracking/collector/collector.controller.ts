import {
  All,
  Catch,
  Controller,
  HttpCode,
  Post,
  Req,
  Res,
  UseFilters,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { NoAuthentication } from '../../core/access/access.decorator.js';
import { atRoot } from '../../core/http/paths.js';
import { drainBriefly, RawBody } from '../../core/http/raw-bodies.js';
import { judgeUrl } from '../../core/http/request-rules.middleware.js';
import { sendBody } from '../../core/http/send-response.js';
import { COLLECTOR_PATH } from '../error-values.js';
import { CurrentReporter, ErrorReport, type Reporter } from './collector.guard.js';
import type { DeliveryAnswer } from './event-intake.service.js';
import { IngestError, refusalOf } from './ingest-error.js';
import { COLLECTOR_ENDPOINTS, ReportReader } from './report-reader.service.js';

/** Writes refusals in the form that SDKs read, while they can still be sending. */
@Catch()
class CollectorErrorFilter implements ExceptionFilter {
  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    const refusal = refusalOf(error);
    drainBriefly(http.getRequest<Request>(), response);
    if (refusal === null) {
      http.getNext<(error: unknown) => void>()(error);
      return;
    }
    for (const [name, value] of Object.entries(refusal.headers)) response.setHeader(name, value);
    sendBody(response, refusal.status, refusal.body);
  }
}

const REPORT_PATHS = COLLECTOR_ENDPOINTS.map((name) => `api/:project/${name}`);

/** The addresses that SDKs report to. Order of the checks: path, method, project, key, limit, body. */
@Controller(atRoot(COLLECTOR_PATH.slice(1)))
@UseFilters(CollectorErrorFilter)
export class CollectorController {
  constructor(private readonly reader: ReportReader) {}

  /** Stores a reported event, with or without an envelope, and counts security reports of browsers. */
  @Post(REPORT_PATHS)
  @HttpCode(200)
  @ErrorReport()
  receive(
    @CurrentReporter() reporter: Reporter,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DeliveryAnswer> {
    const last = request.path.split('/').findLast((part) => part !== '');
    const endpoint = COLLECTOR_ENDPOINTS.find((name) => name === last);
    if (endpoint === undefined) throw new Error(`No endpoint of the collector: ${request.path}`);
    return this.reader.receive(endpoint, reporter, { request, response });
  }

  /** Refuses other methods than POST. */
  @All(REPORT_PATHS)
  @RawBody()
  @NoAuthentication()
  refuseMethod(): never {
    const headers = { Allow: 'POST, OPTIONS' };
    throw new IngestError(405, '405 Method Not Allowed', { headers });
  }

  /** Refuses endpoints that there are not. */
  @All(['', '*path'])
  @RawBody()
  @NoAuthentication()
  refusePath(): never {
    throw new IngestError(404, '404 Not Found');
  }
}

/** Path that SDKs derive from a DSN without a path prefix; `v4` has a letter and does not match. */
const PLAIN = /^\/api\/\d+\/(?:envelope|store|security)\/?(?:\?|$)/;

const EXPOSED = 'x-sentry-error, x-sentry-rate-limits, retry-after';
const REQUEST_HEADERS = [
  'x-sentry-auth, x-requested-with, x-forwarded-for, origin, referer, accept, content-type',
  'authentication, authorization, content-encoding, transfer-encoding, sentry-trace, baggage',
].join(', ');
const PREFLIGHT_SECONDS = '3600';

/** URLs of the collector, to which the rules of the API do not apply. */
export const COLLECTOR_URL =
  /^\/api\/(?:v4\/error_tracking\/collector(?:[/?#]|$)|\d+\/(?:envelope|store|security)\/?(?:\?|$))/;

/**
 * Express middleware for the URLs of the collector, known or not: cross-origin headers, OPTIONS,
 * and refusals of URLs in the form that SDKs read. Leads the plain addresses of projects to it.
 */
export function applyCollectorRules(
  request: Request,
  response: Response,
  next: NextFunction,
): void {
  if (PLAIN.test(request.url)) request.url = `${COLLECTOR_PATH}${request.url}`;
  allowReports(response);
  if (request.method === 'OPTIONS') answerOptions(response);
  else next(problemOf(request, response));
}

/**
 * Headers of every response of the collector, errors included: pages of all origins report their
 * errors, and must be able to read how long to be silent. Never with credentials.
 */
function allowReports(response: Response): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', EXPOSED);
  response.setHeader('Content-Security-Policy', "default-src 'none'");
}

/** Answers OPTIONS from every origin and for every project. */
function answerOptions(response: Response): void {
  response.setHeader('Allow', 'POST, OPTIONS');
  response.setHeader('Access-Control-Allow-Methods', 'POST');
  response.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS);
  response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
  response.statusCode = 204;
  response.end();
}

function problemOf(request: Request, response: Response): unknown {
  try {
    judgeUrl(request);
    return undefined;
  } catch (error) {
    drainBriefly(request, response);
    return refusalOf(error) ?? error;
  }
}
