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

const COOKIE = '_svc_return_to';
const PARAMETER = 'return_to';
/** Browsers keep 4,096 bytes of a cookie with its name and attributes (RFC 6265 §6.1). */
const MAX_COOKIE_VALUE = 3_800;
const MAX_AGE_SECONDS = 7_200;
/** Only for taking addresses apart; no path leads there. */
const ORIGIN = 'https://origin.invalid';

/** Returns true for a path of this site, under every interpretation that browsers have of it. */
function isLocalPath(path: string): boolean {
  if (!/^\/(?![/\\])[!-~]*$/.test(path) || path.includes('\\')) return false;
  return URL.canParse(path, ORIGIN) && new URL(path, ORIGIN).origin === ORIGIN;
}

/**
 * Where to sign in, on the way to `path`: the browser remembers it in a cookie, or in the address
 * when it is too long for one.
 */
export function signInLocation(response: Response, path: string, isHttps: boolean): string {
  const value = encodeURIComponent(path);
  if (value.length > MAX_COOKIE_VALUE) return `/users/sign_in?${PARAMETER}=${value}`;
  setCookie(response, path, { name: COOKIE, maxAge: MAX_AGE_SECONDS, isHttps });
  return '/users/sign_in';
}

/** Where the person wanted to go, if that is a path of ours; else the start page. */
export function returnPath(request: Request): string {
  const asked = request.query[PARAMETER] ?? cookieOf(request, COOKIE);
  return typeof asked === 'string' && isLocalPath(asked) ? asked : '/';
}

/** Names the session with which a path cannot be visited. */
const REPLACED_SESSION = 'replaces_session';

/** Returns the path so that it demands another session than this one: a new sign-in. */
export function withNewSession(path: string, sessionId: number): string {
  const url = new URL(path, ORIGIN);
  url.searchParams.set(REPLACED_SESSION, String(sessionId));
  return url.pathname + url.search;
}

/** Returns true if the path demands a new sign-in in place of this session. */
export function demandsNewSession(path: string, sessionId: number): boolean {
  const params = URL.canParse(path, ORIGIN) ? new URL(path, ORIGIN).searchParams : null;
  return params?.get(REPLACED_SESSION) === String(sessionId);
}

/** Forgets where the person wanted to go: they are there. */
export function forgetReturnPath(response: Response, isHttps: boolean): void {
  setCookie(response, '', { name: COOKIE, isHttps });
}
