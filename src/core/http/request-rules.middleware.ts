import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ApiError, BadRequestError } from '../errors.js';
import { decodedPath } from '../params/coerce.js';

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

/** Longer query strings belong into a body (API doc, Limits). */
const MAX_QUERY_LENGTH = 10 * 1024;
const MAX_PATH_LENGTH = 64 * 1024;

/**
 * Validates the request target before routing: throws 414 for a long query string or path, 400 for
 * invalid percent-encoding, NUL, text that is not UTF-8, and more than one host.
 */
export function checkRequestUrl(request: Request, _response: Response, next: NextFunction): void {
  judgeUrl(request);
  next();
}

/** The same for what is answered before any middleware of the API: throws 414 and 400. */
export function judgeUrl(request: Request): void {
  assertOneHost(request);
  const [path = '', ...rest] = request.url.split('?');
  const queryLength = rest.join('?').length;
  if (queryLength > MAX_QUERY_LENGTH || path.length > MAX_PATH_LENGTH) {
    throw new ApiError(414, { message: '414 Request-URI Too Large' });
  }
  if (path.includes('%')) checkPath(path);
  if (queryLength > 0) parseQueryNow(request);
}

/**
 * Cuts the absolute form of a request target (RFC 9112 §3.2.2) down to its path, so that every
 * later step sees the usual form.
 */
export function normaliseUrl(request: Request, _response: Response, next: NextFunction): void {
  if (!request.url.startsWith('/') && /^[a-z]+:\/\//i.test(request.url)) {
    const path = request.url.replace(/^[a-z]+:\/\/[^/?]*/i, '');
    request.url = path.startsWith('/') ? path : `/${path}`;
    request.originalUrl = request.url;
  }
  next();
}

/** A proxy and its server could take different ones of several hosts (RFC 9112 §3.2). */
function assertOneHost({ rawHeaders }: Request): void {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1) throw new BadRequestError('Host is given more than once');
}

function checkPath(path: string): void {
  const decoded = decodedPath(path);
  if (decoded === null) throw new BadRequestError('path is not URL-encoded UTF-8');
  if (decoded.includes('\0')) throw new BadRequestError('NUL is not allowed');
}

/** The parsed query is kept with the request; what cannot be parsed is refused here. */
function parseQueryNow(request: Request): void {
  void request.query;
}
