import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { UnauthorizedError } from '../errors.js';

/** User behind a request, with the attributes that guards and presenters need. */
export interface Viewer {
  id: number;
  username: string;
  name: string;
  email: string;
  /** Digest of the avatar's images; null without one. */
  avatar: string | null;
  admin: boolean;
  external: boolean;
  /** `active`, `blocked`, `deactivated`, `banned` or `pending`. */
  state: string;
  /** `human`, `project_bot` or `internal`. */
  userType: string;
  confirmed: boolean;
}

/** A known credential with its user; its state is still to be judged. */
export interface Credential {
  tokenId: number;
  /** `personal`, `impersonation`, `project`, `group`, `job` or `oauth`. */
  kind: string;
  scopes: string[];
  expiresAt: Date | null;
  revokedAt: Date | null;
  /** The project of a project or job token. */
  projectId: number | null;
  /** Client id of the application of an OAuth token; null when it was issued without one. */
  applicationUid: string | null;
  createdAt: Date;
  user: Viewer;
}

/** The sign-in by a browser that a request comes from. */
export interface SessionContext {
  id: number;
  /** When the password was given; `auth_time` of OpenID Connect. */
  signedInAt: Date;
}

/** User, credential and origin of a request. */
export interface AuthContext {
  /** null = not signed in. */
  viewer: Viewer | null;
  /** null without a token: for anonymous requests and for those of a session. */
  credential: Credential | null;
  /** null = not by the session's cookie. */
  session: SessionContext | null;
  /** The administrator behind a sudo request, else null. */
  impersonator: Viewer | null;
  /** The client's address; null before the AuthGuard ran. */
  ip: string | null;
}

/** Authentication of a request to a page or endpoint that requires a signed-in user. */
export type SignedInContext = AuthContext & { viewer: Viewer };

const contexts = new WeakMap<Request, AuthContext>();

export const ANONYMOUS: AuthContext = {
  viewer: null,
  credential: null,
  session: null,
  impersonator: null,
  ip: null,
};

/** Keeps what the AuthGuard found out about the request. */
export function setAuthContext(request: Request, context: AuthContext): void {
  contexts.set(request, context);
}

/** Returns the authentication of the request; anonymous before the AuthGuard ran. */
export function authContext(request: Request): AuthContext {
  return contexts.get(request) ?? ANONYMOUS;
}

/**
 * A value that a guard finds and the handler receives: the guard keeps it, and the decorator of the
 * handler's parameter is `Current`. The response carries it.
 */
export function guardValue<T extends object>(
  guard: string,
): { keep(response: Response, value: T): void; Current: () => ParameterDecorator } {
  const key = `guard: ${guard}`;
  const read = (_: unknown, context: ExecutionContext): T => {
    const value = context.switchToHttp().getResponse<Response>().locals[key] as T | undefined;
    if (value === undefined) throw new Error(`The route needs the guard ${guard}`);
    return value;
  };
  return {
    keep: (response, value) => {
      response.locals[key] = value;
    },
    Current: createParamDecorator(read),
  };
}

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
