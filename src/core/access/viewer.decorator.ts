import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { UnauthorizedError } from '../errors.js';
import { authContext, type AuthContext, type Viewer } from './auth-context.js';

function contextOf(context: ExecutionContext): AuthContext {
  return authContext(context.switchToHttp().getRequest<Request>());
}

/** The signed-in user; 401 when there is none: `create(@CurrentUser() viewer: Viewer)`. */
export const CurrentUser = createParamDecorator((_: unknown, context: ExecutionContext): Viewer => {
  const { viewer } = contextOf(context);
  if (viewer === null) throw new UnauthorizedError();
  return viewer;
});

/** The signed-in user or null, for endpoints that are open to anyone. */
export const MaybeUser = createParamDecorator(
  (_: unknown, context: ExecutionContext): Viewer | null => contextOf(context).viewer,
);

/** Actor of a request and the administrator behind it, for audit rows. */
export const Auth = createParamDecorator((_: unknown, context: ExecutionContext): AuthContext =>
  contextOf(context),
);
