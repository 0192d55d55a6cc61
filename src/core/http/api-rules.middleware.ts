import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ApiError } from '../errors.js';

/** URLs below `/api` with rules of their own. */
interface Exception {
  urls: RegExp;
  apply: RequestHandler;
}

/**
 * Applies the rules of every path below `/api`, known or not: security and CORS headers,
 * preflights, 410 for the third version, 406 for a format other than JSON.
 */
export function applyApiRules(exception: Exception): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!request.url.startsWith('/api/')) {
      next();
      return;
    }
    if (exception.urls.test(request.url)) {
      exception.apply(request, response, next);
      return;
    }
    response.setHeader('Content-Security-Policy', "default-src 'none'");
    allowAnyOrigin(request, response);
    if (isPreflight(request)) {
      answerPreflight(request, response);
      return;
    }
    if (/^\/api\/v3(?:[/?]|$)/.test(request.url)) throw goneVersion();
    checkFormat(request);
    next();
  };
}

function goneVersion(): ApiError {
  return new ApiError(410, { error: 'API V3 is no longer supported. Use API V4 instead.' });
}

function checkFormat(request: Request): void {
  if (!request.url.includes('format=')) return;
  const { format } = request.query;
  if (format === undefined || format === '' || format === 'json') return;
  const shown = typeof format === 'string' ? format : 'unknown';
  throw new ApiError(406, { error: `The requested format '${shown}' is not supported.` });
}

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
function allowAnyOrigin(request: Request, response: Response): void {
  if (request.headers.origin === undefined) return;
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Allow-Methods', METHODS);
  response.setHeader('Access-Control-Expose-Headers', EXPOSED);
}

/** Returns true for preflights (Fetch standard: Origin and the method of the actual request). */
function isPreflight(request: Request): boolean {
  const { origin, 'access-control-request-method': method } = request.headers;
  return request.method === 'OPTIONS' && origin !== undefined && method !== undefined;
}

/** Responds to a preflight; allows exactly the requested headers. */
function answerPreflight(request: Request, response: Response): void {
  const headers = request.headers['access-control-request-headers'];
  if (headers !== undefined) response.setHeader('Access-Control-Allow-Headers', headers);
  response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
  response.statusCode = 204;
  response.end();
}

/** Requests that scripts of any origin can send to a path. */
export interface OriginRule {
  methods: string;
  /** Request headers that a preflight can name beside the simple ones. */
  headers: readonly string[];
}

/** Request headers that need no permission (Fetch standard, CORS-safelisted request-headers). */
const SIMPLE_HEADERS = ['accept', 'accept-language', 'content-language', 'content-type', 'range'];

/**
 * Cross-origin headers of the paths of `rules`, without credentials: cookies mean nothing there. A
 * preflight that names another header, as X-Requested-With, gets none of them.
 */
export function allowOrigins(rules: Readonly<Record<string, OriginRule>>): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const isListed = request.headers.origin !== undefined && Object.hasOwn(rules, request.path);
    const rule = isListed ? rules[request.path] : undefined;
    if (rule === undefined) {
      next();
      return;
    }
    response.vary('Origin');
    if (!isPreflight(request)) {
      allow(response, rule);
      next();
      return;
    }
    const asked = namesIn(request.headers['access-control-request-headers']);
    if (asked.every((name) => SIMPLE_HEADERS.includes(name) || rule.headers.includes(name))) {
      allow(response, rule);
      if (asked.length > 0) response.setHeader('Access-Control-Allow-Headers', asked.join(', '));
      response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    }
    response.statusCode = 204;
    response.end();
  };
}

function allow(response: Response, { methods }: OriginRule): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Allow-Methods', methods);
}

function namesIn(header: string | undefined): string[] {
  const names = (header ?? '').split(',').map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== '');
}
