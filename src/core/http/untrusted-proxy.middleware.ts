import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';

/**
 * Says once that requests name a client behind a proxy although TRUST_PROXY names none: then all
 * people behind the proxy are limited and recorded as one address. Never trusts the header.
 */
export function warnOfUntrustedProxy(log: Logger): RequestHandler {
  let isSaid = false;
  return (request: Request, _response: Response, next: NextFunction): void => {
    if (!isSaid && request.headers['x-forwarded-for'] !== undefined) {
      isSaid = true;
      log.warn(
        { address: request.socket.remoteAddress },
        'a request came with X-Forwarded-For, but TRUST_PROXY is off: if this address is a proxy of yours, name it there, or everybody behind it shares one rate limit',
      );
    }
    next();
  };
}
