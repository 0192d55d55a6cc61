import type { Request } from 'express';
import type { Credential, Viewer } from './viewer.js';

/** Who a request acts as. */
export interface AuthContext {
  /** null = not signed in. */
  viewer: Viewer | null;
  credential: Credential | null;
  /** The administrator behind a sudo request, else null. */
  impersonator: Viewer | null;
  /** The client's address; null before the AuthGuard ran. */
  ip: string | null;
}

const contexts = new WeakMap<Request, AuthContext>();

export const ANONYMOUS: AuthContext = {
  viewer: null,
  credential: null,
  impersonator: null,
  ip: null,
};

/** Keeps what the AuthGuard found out about the request. */
export function setAuthContext(request: Request, context: AuthContext): void {
  contexts.set(request, context);
}

/** Who the request acts as; anonymous before the AuthGuard ran. */
export function authContext(request: Request): AuthContext {
  return contexts.get(request) ?? ANONYMOUS;
}
