import type { NoticeKind, NoticeTarget } from './notice-kinds.js';

/** Whom a text names: `@name`, `@group`, `@all`. */
export interface NamedPeople {
  userIds: number[];
  namespaceIds: number[];
  /** All members of the project. */
  all: boolean;
}

/** What mails need and nobody can look up later. Ids only: texts are read when they are sent. */
export interface NoticeDetails {
  /** Who was added to, and removed from, the assignees or reviewers. */
  added?: number[];
  removed?: number[];
  /** Whom a change of title or description named who was not named before. */
  named?: NamedPeople;
  /** Where the branch of a merge request was and is: object ids. */
  from?: string;
  to?: string;
  /** Full path that the project had. */
  formerPath?: string;
}

/** Something that people may want to be told of by mail. */
export interface NewNotice {
  kind: NoticeKind;
  projectId: number;
  /** Whose doing it is; null = nobody's, it was due. */
  actorId: number | null;
  /** Commits have no id: their note names them. */
  target: { type: NoticeTarget; id: number | null };
  /** Of new_note. */
  noteId?: number;
  details?: NoticeDetails;
}
