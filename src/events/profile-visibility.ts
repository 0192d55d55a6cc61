import type { Viewer } from '../core/access/viewer.js';
import type { UserDetails } from '../users/user.presenter.js';

/**
 * Whether what the user does may be listed for the viewer. Private profiles, and those of people who
 * are kept out or have never confirmed who they are, show nothing but to administrators and the
 * user.
 */
export function showsActivity(user: UserDetails, viewer: Viewer | null): boolean {
  if (viewer?.admin === true || viewer?.id === user.id) return true;
  const isKeptOut = ['blocked', 'banned', 'pending'].includes(user.state);
  const isUnknown = user.userType === 'human' && user.confirmedAt === null;
  return !user.privateProfile && !isKeptOut && !isUnknown;
}
