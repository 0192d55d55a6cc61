import { ADMIN_SCOPES, SCOPES } from '../core/access/scopes.js';

/** Kept byte for byte at the beginning: clients compare it. */
const DESCRIPTION = 'The requested scope is invalid, unknown, or malformed';

/** Other texts are not repeated: descriptions have few characters (RFC 6749 §5.2). */
const NAME = /^[\w.:/-]{1,64}$/;
const MAX_NAMED = 10;

/** What the client lacks where a scope as such is known. */
const OF_APPLICATION = 'not allowed for this application';

/** The words of a `scope` parameter (RFC 6749 §3.3). */
export function scopesIn(text: string | null | undefined): string[] {
  return [...new Set((text ?? '').split(' ').filter((scope) => scope !== ''))];
}

/** The description of `invalid_scope` for scopes that are not among those allowed, naming them. */
export function scopeRefusal(
  scopes: readonly string[],
  allowed: readonly string[],
  lack: string = OF_APPLICATION,
): string {
  const named = scopes
    .filter((scope) => !allowed.includes(scope) && NAME.test(scope))
    .slice(0, MAX_NAMED)
    .map((scope) => `${scope} (${Object.hasOwn(SCOPES, scope) ? lack : 'unknown'})`);
  return named.length === 0 ? `${DESCRIPTION}.` : `${DESCRIPTION}: ${named.join(', ')}.`;
}

/** The same for scopes that only administrators can give. */
export function adminScopeRefusal(scopes: readonly string[]): string {
  const allowed = scopes.filter((scope) => !(ADMIN_SCOPES as readonly string[]).includes(scope));
  return scopeRefusal(scopes, allowed, 'administrators only');
}
