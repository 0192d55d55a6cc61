import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { authContext } from '../../core/access/auth-context.js';
import type { Viewer } from '../../core/access/viewer.js';
import { UnauthorizedError } from '../../core/errors.js';
import { readPreconditions, type Preconditions } from '../../core/preconditions.js';
import { publicBaseUrl } from '../../core/public-url.js';

/** Author of a milestone's change, its preconditions, and the base URL of the response. */
export interface MilestoneRequestContext {
  viewer: Viewer;
  preconditions: Preconditions;
  baseUrl: string;
}

/** Returns the author and preconditions of a change. Throws 401 for anonymous requests. */
export const MilestoneContext = createParamDecorator(
  (_: unknown, context: ExecutionContext): MilestoneRequestContext => {
    const request = context.switchToHttp().getRequest<Request>();
    const { viewer } = authContext(request);
    if (viewer === null) throw new UnauthorizedError();
    const preconditions = readPreconditions(request);
    return { viewer, preconditions, baseUrl: publicBaseUrl(request) };
  },
);
