import type { NextFunction, Request, Response } from 'express';
import { ApiError, BadRequestError } from '../errors.js';

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

/** Encodes a path for an address, but for its slashes: of a file, or the name of a branch. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** A path without its percent signs; null when they do not spell UTF-8. */
export function decodedPath(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
