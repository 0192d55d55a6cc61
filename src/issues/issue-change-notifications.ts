import type { NamedPeople, NewNotification } from '../activity/new-notification.js';
import type { NotificationKind } from '../activity/notification-kinds.js';
import { namesNobody } from '../mentions/named-people.js';
import type { LinkChanges } from './issue-change-notes.js';
import type { Issue } from './issue.entity.js';

/** Change of an issue and its author. */
interface NotificationdChange {
  actorId: number;
  links: LinkChanges;
  /** Users whom its texts mention for the first time; null if the texts are unchanged. */
  named: NamedPeople | null;
}

/** Returns the notifications of a change; a state change has an event instead. */
export function changeNotifications(
  { id, projectId }: Pick<Issue, 'id' | 'projectId'>,
  { actorId, links: { assignees, milestone }, named }: NotificationdChange,
): NewNotification[] {
  const target = { type: 'issue', id } as const;
  const notification = (
    kind: NotificationKind,
    details: NewNotification['details'] = {},
  ): NewNotification => {
    return { kind, projectId, actorId, target, details };
  };
  const notifications: NewNotification[] = [];
  const added = assignees.added.map((user) => user.id);
  const removed = assignees.removed.map((user) => user.id);
  if (added.length + removed.length > 0)
    notifications.push(notification('reassign_issue', { added, removed }));
  if (milestone !== null) notifications.push(notification('change_milestone_issue'));
  if (named !== null && !namesNobody(named))
    notifications.push(notification('mention_in_issue', { named }));
  return notifications;
}
