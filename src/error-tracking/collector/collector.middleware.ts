import type { NextFunction, Request, Response } from 'express';
import { drainBriefly } from '../../core/http/raw-bodies.js';
import { judgeUrl } from '../../core/http/request-rules.middleware.js';
import { COLLECTOR_PATH } from '../error-values.js';
import { refusalOf } from './ingest-error.js';

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
