import type { Request, Response } from 'express';
import { cookieOf, setCookie } from './sessions/session-cookies.js';

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

/** Forgets where the person wanted to go: they are there. */
export function forgetReturnPath(response: Response, isHttps: boolean): void {
  setCookie(response, '', { name: COOKIE, isHttps });
}
