import type { AuthorizationParams } from './authorization-params.js';

/**
 * Returns true if the user must sign in again before this request (OpenID Connect Core §3.1.2.1).
 */
export function mustSignInAgain(
  params: AuthorizationParams,
  { signedInAt, now }: { signedInAt: Date; now: Date },
): boolean {
  if (!isOpenId(params)) return false;
  if (params.words('prompt').includes('login')) return true;
  const maxAge = params.get('max_age');
  if (maxAge === undefined) return false;
  return now.getTime() - signedInAt.getTime() > Number(maxAge) * 1_000;
}

/** Returns true for `prompt=none`: the request must be answered without a page. */
export function isSilent(params: AuthorizationParams): boolean {
  return isOpenId(params) && params.words('prompt').includes('none');
}

/** Returns true if the request demands the consent screen. */
export function wantsConsent(params: AuthorizationParams): boolean {
  return isOpenId(params) && params.words('prompt').includes('consent');
}

/**
 * Returns the request's own path for after the sign-in, without the parameters that demanded it:
 * otherwise it would be demanded forever.
 */
export function pathAfterSignIn(originalUrl: string): string {
  const [path = '', query = ''] = originalUrl.split(/\?(.*)/s, 2);
  const params = new URLSearchParams(query);
  const prompts = (params.get('prompt') ?? '').split(' ').filter((word) => word !== 'login');
  params.delete('max_age');
  params.delete('prompt');
  if (prompts.join('') !== '') params.set('prompt', prompts.join(' '));
  return `${path}?${params.toString()}`;
}

/** `prompt` and `max_age` belong to OpenID Connect alone. */
function isOpenId(params: AuthorizationParams): boolean {
  return params.words('scope').includes('openid');
}
