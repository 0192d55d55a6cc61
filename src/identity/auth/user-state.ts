import type { Viewer } from '../../core/access/auth-context.js';
import { ForbiddenError, ApiError } from '../../core/errors.js';
import type { Settings } from '../../core/settings/settings.js';

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

/** Reason to refuse a sign-in; all but the first require the correct password. */
type SignInObstacle = 'credentials' | 'blocked' | 'pending' | 'deactivated' | 'unconfirmed';

/**
 * One text for wrong passwords, unknown logins and locked accounts, so that it does not reveal
 * which accounts exist.
 */
const TEXTS: Record<SignInObstacle, string> = {
  credentials: 'Invalid login or password.',
  blocked: 'Your account has been blocked.',
  pending: 'Your account is pending approval from your administrator and hence blocked.',
  deactivated: 'Your account has been deactivated. Sign in with a browser to reactivate it.',
  unconfirmed: 'You have to confirm your email address before continuing.',
};

/** 422: invalid login or password. */
export class SignInRefusedError extends ApiError {
  constructor(readonly obstacle: SignInObstacle) {
    super(422, { message: TEXTS[obstacle] });
  }
}

/** Returns the reason why the user cannot sign in with the correct password, or null. */
export function obstacleOf(user: Viewer, settings: Settings): SignInObstacle | null {
  if (user.state === 'pending') return 'pending';
  if (user.state === 'blocked' || user.state === 'banned') return 'blocked';
  if (!user.confirmed && settings.email_confirmation_setting === 'hard') return 'unconfirmed';
  return user.state === 'deactivated' ? 'deactivated' : null;
}
