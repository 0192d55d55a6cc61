import type { NewNotification } from '../../core/activity/new-notification.js';
import type { AuthContext } from '../../core/access/auth-context.js';

/**
 * Returns the notification of a changed project path for owners and maintainers. Only for a move of
 * the project itself: when a group moves, its former paths redirect to everything below, and an
 * email for each project would flood the maintainers.
 */
export function movedNotification(
  { id, formerPath }: { id: number; formerPath: string },
  { viewer }: Pick<AuthContext, 'viewer'>,
): NewNotification {
  return {
    kind: 'moved_project',
    projectId: id,
    actorId: viewer?.id ?? null,
    target: { type: 'project', id },
    details: { formerPath },
  };
}
