import { ForbiddenError } from '../../core/errors.js';
import type { Viewer } from '../../core/access/viewer.js';

/**
 * Throws 403 with the reason when the user's state forbids using the API at all.
 * Order of the checks: internal, pending, deactivated, unconfirmed, blocked.
 */
export function assertUserMayAct(user: Viewer, baseUrl: string): void {
  const reason = refusal(user, baseUrl);
  if (reason !== null) throw new ForbiddenError(reason);
}

/** Returns true if `assertUserMayAct` accepts the user. */
export function mayUserAct(user: Viewer): boolean {
  return refusal(user, '') === null;
}

function refusal(user: Viewer, baseUrl: string): string | null {
  if (user.userType === 'internal') {
    return 'This action cannot be performed by internal users';
  }
  if (user.state === 'pending') {
    return 'Your account is pending approval from your administrator and hence blocked.';
  }
  if (user.state === 'deactivated') {
    return `Your account has been deactivated by your administrator. Please log back in from a web browser to reactivate your account at ${baseUrl}`;
  }
  if (!user.confirmed) {
    return 'Your primary email address is not confirmed. Please check your inbox for the confirmation instructions.';
  }
  if (user.state === 'blocked' || user.state === 'banned') return 'Your account has been blocked.';
  return null;
}
