import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { authContext, type AuthContext, type Viewer } from '../../core/access/auth-context.js';
import { UnauthorizedError } from '../../core/errors.js';
import { parseIntegerId } from '../../core/params/ids.js';
import { readPreconditions, type Preconditions } from '../../core/preconditions.js';
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

/** An issue or merge request in a path, the preconditions of its change, and the signed-in user. */
export interface IssuableReference extends ActorContext {
  /** Number within the project. */
  iid: number;
  preconditions: Preconditions;
}

/**
 * The issue or merge request whose number the path has, else 401 for anonymous requests:
 * `update(@IssuableRef('issue_iid') { iid, viewer }: IssuableReference)`. Also for reading notes,
 * which requires signing in even in public projects.
 */
export const IssuableRef = createParamDecorator(
  (name: string, context: ExecutionContext): IssuableReference => {
    const request = context.switchToHttp().getRequest<Request>();
    const iid = parseIntegerId(String(request.params[name]), name);
    return { ...actorContext(request), iid, preconditions: readPreconditions(request) };
  },
);

/** Returns the signed-in user and origin of a request. Throws 401 for anonymous requests. */
export function actorContext(request: Request): ActorContext {
  const auth = authContext(request);
  const { viewer } = auth;
  if (viewer === null) throw new UnauthorizedError();
  return { viewer, auth, sender: spamSender(request, viewer) };
}
