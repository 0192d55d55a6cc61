import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { authContext, type Viewer } from './access/auth-context.js';

/** Viewer of a response, and the base URL of the instance. */
export interface ResponseContext {
  baseUrl: string;
  viewer: Viewer | null;
}

/** Context of a request for presenters: `get(@ResponseContext() context: ResponseContext)`. */
export const ResponseContext = createParamDecorator(
  (_: unknown, context: ExecutionContext): ResponseContext => {
    const request = context.switchToHttp().getRequest<Request>();
    return { baseUrl: publicBaseUrl(request), viewer: authContext(request).viewer };
  },
);

/**
 * The address under which clients reach us, without trailing slash: the configured BASE_URL.
 * The Host header is never used: a client or a proxy could put anything there.
 */
export function publicBaseUrl(request: Request): string {
  return String(request.app.get('base url'));
}

const known = { baseUrl: '', host: '' };

/** Returns the host name of the base URL, parsed once: lists need it for every row. */
export function publicHost(baseUrl: string): string {
  if (known.baseUrl !== baseUrl) {
    Object.assign(known, { baseUrl, host: new URL(baseUrl).hostname });
  }
  return known.host;
}
