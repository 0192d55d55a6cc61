import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { authContext } from './access/auth-context.js';
import type { Viewer } from './access/viewer.js';
import { publicBaseUrl } from './public-url.js';

/** Who looks at what is presented, and under which address the installation is reached. */
export interface ResponseContext {
  baseUrl: string;
  viewer: Viewer | null;
}

/** What presenters need to know of the request: `get(@ResponseContext() context: ResponseContext)`. */
export const ResponseContext = createParamDecorator(
  (_: unknown, context: ExecutionContext): ResponseContext => {
    const request = context.switchToHttp().getRequest<Request>();
    return { baseUrl: publicBaseUrl(request), viewer: authContext(request).viewer };
  },
);
