import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { authContext, type AuthContext } from '../../core/access/auth-context.js';
import type { Viewer } from '../../core/access/viewer.js';
import { UnauthorizedError } from '../../core/errors.js';
import { spamSender, type SpamSender } from './submission.js';

/** The signed-in user of a request, how they are signed in, and the sender for the spam check. */
export interface ActorContext {
  viewer: Viewer;
  auth: AuthContext;
  sender: SpamSender;
}

/** The signed-in user of a request, else 401: `create(@RequestContext() { sender }: ActorContext)`. */
export const RequestContext = createParamDecorator((_: unknown, context: ExecutionContext) =>
  actorContext(context.switchToHttp().getRequest<Request>()),
);

/** Returns the signed-in user and origin of a request. Throws 401 for anonymous requests. */
export function actorContext(request: Request): ActorContext {
  const auth = authContext(request);
  const { viewer } = auth;
  if (viewer === null) throw new UnauthorizedError();
  return { viewer, auth, sender: spamSender(request, viewer) };
}
