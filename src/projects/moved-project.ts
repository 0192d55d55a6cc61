import type { NewNotice } from '../activity/new-notice.js';
import type { AuthContext } from '../core/access/auth-context.js';

/**
 * What tells the owners and maintainers that their project has another address. Only for a move
 * of the project itself: when a group moves, its former addresses go on leading to everything
 * below, and a mail for each of its projects would bury whoever maintains them.
 */
export function movedNotice(
  { id, formerPath }: { id: number; formerPath: string },
  { viewer }: Pick<AuthContext, 'viewer'>,
): NewNotice {
  return {
    kind: 'moved_project',
    projectId: id,
    actorId: viewer?.id ?? null,
    target: { type: 'project', id },
    details: { formerPath },
  };
}
