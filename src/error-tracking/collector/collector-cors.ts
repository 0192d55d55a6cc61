import type { Response } from 'express';

const EXPOSED = 'x-sentry-error, x-sentry-rate-limits, retry-after';
const REQUEST_HEADERS = [
  'x-sentry-auth, x-requested-with, x-forwarded-for, origin, referer, accept, content-type',
  'authentication, authorization, content-encoding, transfer-encoding, sentry-trace, baggage',
].join(', ');
const PREFLIGHT_SECONDS = '3600';

/**
 * Headers of every answer of the collector, refusals included: pages of all origins report their
 * errors, and must be able to read how long to be silent. Never with credentials.
 */
export function allowReports(response: Response): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', EXPOSED);
  response.setHeader('Content-Security-Policy', "default-src 'none'");
}

/** Answers OPTIONS from every origin and for every project. */
export function answerOptions(response: Response): void {
  response.setHeader('Allow', 'POST, OPTIONS');
  response.setHeader('Access-Control-Allow-Methods', 'POST');
  response.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS);
  response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
  response.statusCode = 204;
  response.end();
}
