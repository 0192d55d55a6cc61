import { ADMIN_SCOPES, SCOPES, type Scope } from '../core/access/scopes.js';

const DEFAULT_SCOPE = 'api';

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

/**
 * Returns the requested scopes, each once; null when the application lacks one of them or the text
 * is malformed (RFC 6749 §3.3). Without any it is `api` if the application has it, else all of its
 * scopes.
 */
export function requestedScopes(
  text: string | undefined,
  allowed: readonly Scope[],
): Scope[] | null {
  if (text === undefined) return allowed.includes(DEFAULT_SCOPE) ? [DEFAULT_SCOPE] : [...allowed];
  const scopes = scopesIn(text);
  const isAllowed = scopes.every((scope) => (allowed as readonly string[]).includes(scope));
  return isAllowed && scopes.length > 0 ? (scopes as Scope[]) : null;
}

/** Returns the scopes that the user can grant: administrator scopes require an administrator. */
export function grantableScopes(scopes: readonly Scope[], { admin }: { admin: boolean }): Scope[] {
  return scopes.filter((scope) => admin || !ADMIN_SCOPES.includes(scope));
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
