import type { Request } from 'express';

const tokens = new WeakMap<Request, string>();

/** Keeps the token that the forms of the answer need; set by the guard of pages. */
export function setCsrfToken(request: Request, token: string): void {
  tokens.set(request, token);
}

/** The token for the forms of the page that answers the request; '' outside of pages. */
export function csrfToken(request: Request): string {
  return tokens.get(request) ?? '';
}
