import type { NotificationKind, NotificationTarget } from './notification-kinds.js';

/** Users and groups that a text mentions: `@name`, `@group`, `@all`. */
export interface NamedPeople {
  userIds: number[];
  namespaceIds: number[];
  /** All members of the project. */
  all: boolean;
}

/**
 * Details that emails need and that cannot be read later. IDs only: texts are read when the email
 * is sent.
 */
export interface NotificationDetails {
  /** Users who were added to or removed from the assignees or reviewers. */
  added?: number[];
  removed?: number[];
  /** Users whom a change of title or description mentions for the first time. */
  named?: NamedPeople;
  /** Where the branch of a merge request was and is: object ids. */
  from?: string;
  to?: string;
  /** Full path that the project had. */
  formerPath?: string;
}

/** Something that users can be notified of by email. */
export interface NewNotification {
  kind: NotificationKind;
  projectId: number;
  /** User who caused the notification; null for due dates. */
  actorId: number | null;
  /** Commits have no id: their note names them. */
  target: { type: NotificationTarget; id: number | null };
  /** Of new_note. */
  noteId?: number;
  details?: NotificationDetails;
}
