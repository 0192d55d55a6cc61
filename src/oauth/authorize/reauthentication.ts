import type { AuthorizationParams } from './authorization-params.js';

/** Whether the person has to sign in anew before this request (OpenID Connect Core §3.1.2.1). */
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

/** Whether the request must be answered without showing anything. */
export function isSilent(params: AuthorizationParams): boolean {
  return isOpenId(params) && params.words('prompt').includes('none');
}

/** Whether the person is to be asked even where that would not be needed. */
export function wantsConsent(params: AuthorizationParams): boolean {
  return isOpenId(params) && params.words('prompt').includes('consent');
}

/**
 * The request's own path for after the sign-in, which has then taken place as it demanded: asked
 * once more it would be demanded forever.
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
