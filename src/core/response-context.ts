import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { authContext } from './access/auth-context.js';
import type { Viewer } from './access/viewer.js';
import { publicBaseUrl } from './public-url.js';

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
