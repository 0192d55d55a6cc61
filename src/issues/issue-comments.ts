import type { Viewer } from '../core/access/viewer.js';
import { ROLES } from '../members/roles.js';
import type { Issue } from './issue.entity.js';

/**
 * Returns true if a user who sees the issue can comment on it: in a locked discussion members only.
 */
export function mayComment(
  { discussionLocked }: Pick<Issue, 'discussionLocked'>,
  { viewer, accessLevel }: { viewer: Viewer | null; accessLevel: number },
): boolean {
  if (viewer === null) return false;
  return !discussionLocked || viewer.admin || accessLevel >= ROLES.guest;
}
