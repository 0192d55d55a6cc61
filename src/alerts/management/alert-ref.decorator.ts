import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { authContext } from '../../core/access/auth-context.js';
import type { Viewer } from '../../core/access/viewer.js';
import { UnauthorizedError } from '../../core/errors.js';
import { parseIntegerId } from '../../core/params/ids.js';
import { readPreconditions, type Preconditions } from '../../core/preconditions.js';

/** Change of the alert with the number in the path: its author and preconditions. */
export interface AlertReference {
  viewer: Viewer;
  iid: number;
  preconditions: Preconditions;
}

/**
 * Returns the alert reference and the viewer of an update: `update(@AlertRef() change:
 * AlertReference)`.
 */
export const AlertRef = createParamDecorator(
  (_: unknown, context: ExecutionContext): AlertReference => {
    const request = context.switchToHttp().getRequest<Request>();
    const { viewer } = authContext(request);
    if (viewer === null) throw new UnauthorizedError();
    const iid = parseIntegerId(String(request.params['alert_iid']), 'alert_iid');
    return { viewer, iid, preconditions: readPreconditions(request) };
  },
);
