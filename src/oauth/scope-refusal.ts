import { ADMIN_SCOPES, SCOPES } from '../core/access/scopes.js';

/** Prefix that clients compare byte for byte. */
const DESCRIPTION = 'The requested scope is invalid, unknown, or malformed';

/** Other strings are not repeated: descriptions allow few characters (RFC 6749 §5.2). */
const NAME = /^[\w.:/-]{1,64}$/;
const MAX_NAMED = 10;

/** Reason for a valid scope that the application does not have. */
const OF_APPLICATION = 'not allowed for this application';

/** Parses a `scope` parameter (RFC 6749 §3.3). */
export function scopesIn(text: string | null | undefined): string[] {
  return [...new Set((text ?? '').split(' ').filter((scope) => scope !== ''))];
}

/** Returns the `invalid_scope` description, naming the scopes that are not allowed. */
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

/** Returns the same for scopes reserved for administrators. */
export function adminScopeRefusal(scopes: readonly string[]): string {
  const allowed = scopes.filter((scope) => !(ADMIN_SCOPES as readonly string[]).includes(scope));
  return scopeRefusal(scopes, allowed, 'administrators only');
}
