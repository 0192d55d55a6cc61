import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { ApiError } from '../errors.js';
import { allowAnyOrigin, answerPreflight, isPreflight } from './cors.js';

/**
 * Applies the rules of every path below `/api`, known or not: security and CORS headers,
 * preflights, 410 for the third version, 406 for a format other than JSON. Paths of `except` have
 * rules of their own.
 */
export function applyApiRules({ except }: { except: (path: string) => boolean }): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!request.url.startsWith('/api/') || except(request.path)) {
      next();
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
