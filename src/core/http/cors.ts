import type { Request, Response } from 'express';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
const EXPOSED = [
  'Link, X-Total, X-Total-Pages, X-Per-Page, X-Page, X-Next-Page, X-Prev-Page',
  'RateLimit-Name, RateLimit-Limit, RateLimit-Observed, RateLimit-Remaining, RateLimit-Reset',
  'RateLimit-ResetTime, Retry-After',
].join(', ');
const PREFLIGHT_SECONDS = '7200';

/**
 * Cross-origin headers of the REST API: any origin, any method, any header, never credentials.
 * Cookies are therefore not sent by pages of other origins; tokens are.
 */
export function allowAnyOrigin(request: Request, response: Response): void {
  if (request.headers.origin === undefined) return;
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Allow-Methods', METHODS);
  response.setHeader('Access-Control-Expose-Headers', EXPOSED);
}

/** Returns true for preflights (Fetch standard: Origin and the method of the actual request). */
export function isPreflight(request: Request): boolean {
  const { origin, 'access-control-request-method': method } = request.headers;
  return request.method === 'OPTIONS' && origin !== undefined && method !== undefined;
}

/** Answers a preflight; allows exactly the requested headers. */
export function answerPreflight(request: Request, response: Response): void {
  const headers = request.headers['access-control-request-headers'];
  if (headers !== undefined) response.setHeader('Access-Control-Allow-Headers', headers);
  response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
  response.statusCode = 204;
  response.end();
}
