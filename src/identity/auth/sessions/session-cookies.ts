import { randomBytes } from 'node:crypto';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';

/** API doc, Authentication. */
export const SESSION_COOKIE = '_svc_session';

/** Marks the value of a browser that is not signed in: it only carries the token of forms. */
const ANONYMOUS_PREFIX = 'anonymous.';

/** The request's cookie of this name, or null; blank counts as absent. */
export function cookieOf(request: Pick<Request, 'headers'>, name: string): string | null {
  const header = request.headers.cookie;
  return header === undefined ? null : parseCookie(header)[name] || null;
}

/** Value of a session's cookie: 256 random bits. */
export function newSessionValue(): string {
  return randomBytes(32).toString('base64url');
}

/** Value for a browser that is not signed in. Nothing is stored for it. */
export function newAnonymousValue(): string {
  return `${ANONYMOUS_PREFIX}${newSessionValue()}`;
}

/** Returns true if the value was issued before sign-in. */
export function isAnonymousValue(value: string): boolean {
  return value.startsWith(ANONYMOUS_PREFIX);
}

interface CookieChoice {
  name?: string;
  /** Seconds after which the browser forgets it; absent = when it is closed. */
  maxAge?: number;
  isHttps: boolean;
}

/**
 * Sets a cookie that scripts cannot read and that forms of other sites do not send along. An
 * empty value removes it.
 */
export function setCookie(response: Response, value: string, choice: CookieChoice): void {
  const { name = SESSION_COOKIE, isHttps } = choice;
  const maxAge = value === '' ? 0 : choice.maxAge;
  const attributes = { httpOnly: true, sameSite: 'lax', path: '/', secure: isHttps } as const;
  response.append(
    'Set-Cookie',
    stringifySetCookie(name, value, { ...attributes, ...(maxAge !== undefined && { maxAge }) }),
  );
}
