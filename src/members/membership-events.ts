import type { NewEvent } from '../activity/new-event.js';
import type { SourceKey } from './member-source.js';

/** Events of the member, not of who added or removed them; groups have none (API doc, Events). */
export function membershipEvents(
  action: 'joined' | 'left' | 'expired',
  userId: number,
  sources: readonly SourceKey[],
): NewEvent[] {
  return sources
    .filter(({ kind }) => kind === 'project')
    .map(({ id }) => {
      return { projectId: id, authorId: userId, action, target: { type: 'project', id } };
    });
}
