import { InvalidTokenError } from '../core/errors.js';
import type { Credential } from '../core/access/viewer.js';

const EXPIRED = 'Token is expired. You can either do re-authorization or token refresh.';
const IMPERSONATION_OFF = 'Token is an impersonation token but impersonation was disabled.';
const REVOKED = 'Token was revoked. You have to re-authorize from the user.';

/** Throws 401 `invalid_token` for an expired, then for a revoked token. */
export function assertTokenAlive(credential: Credential, now: Date): void {
  if (credential.expiresAt !== null && credential.expiresAt <= now) {
    throw new InvalidTokenError(EXPIRED);
  }
  if (credential.revokedAt !== null) throw new InvalidTokenError(REVOKED);
}

/** Throws 401 `invalid_token` for an impersonation token where the installation accepts none. */
export function assertImpersonationAllowed({ kind }: Credential, isAllowed: boolean): void {
  if (kind === 'impersonation' && !isAllowed) throw new InvalidTokenError(IMPERSONATION_OFF);
}
