import type { Viewer } from '../core/access/auth-context.js';
import type { UserDetails } from '../identity/users/user.presenter.js';

/**
 * Returns true if the viewer can see the user's activity. Private profiles, and those of blocked or
 * unconfirmed users, show it only to administrators and the user.
 */
export function showsActivity(user: UserDetails, viewer: Viewer | null): boolean {
  if (viewer?.admin === true || viewer?.id === user.id) return true;
  const isKeptOut = ['blocked', 'banned', 'pending'].includes(user.state);
  const isUnknown = user.userType === 'human' && user.confirmedAt === null;
  return !user.privateProfile && !isKeptOut && !isUnknown;
}
