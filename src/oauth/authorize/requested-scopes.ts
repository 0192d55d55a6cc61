import { ADMIN_SCOPES, type Scope } from '../../core/access/scopes.js';
import { scopesIn } from '../scope-refusal.js';

const DEFAULT_SCOPE = 'api';

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
