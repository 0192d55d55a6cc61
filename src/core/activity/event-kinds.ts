/** Stored event actions; the names are those of the API's `action` filter. */
export const EVENT_ACTIONS = {
  created: 1,
  updated: 2,
  closed: 3,
  reopened: 4,
  pushed: 5,
  commented: 6,
  merged: 7,
  joined: 8,
  left: 9,
  destroyed: 10,
  expired: 11,
  approved: 12,
} as const;
export type EventAction = keyof typeof EVENT_ACTIONS;

/** Stored event target types; pushes have no target. */
export const EVENT_TARGETS = {
  issue: 1,
  merge_request: 2,
  milestone: 3,
  note: 4,
  project: 5,
  wiki_page: 7,
} as const;
export type EventTarget = keyof typeof EVENT_TARGETS;

/** Stored noteable types of comment events. */
export const EVENT_NOTEABLES = { issue: 1, merge_request: 2, snippet: 6, commit: 8 } as const;
export type EventNoteable = keyof typeof EVENT_NOTEABLES;

/** Stored actions of pushes on their ref. */
export const PUSH_ACTIONS = { created: 0, removed: 1, pushed: 2 } as const;
export type PushAction = keyof typeof PUSH_ACTIONS;

export const REF_TYPES = { branch: 0, tag: 1 } as const;
export type RefType = keyof typeof REF_TYPES;

/** Result of a push: one ref or, in bulk, several. */
export interface PushedRefs {
  action: PushAction;
  refType: RefType;
  /** Without `refs/heads/` or `refs/tags/`; null in bulk. */
  ref: string | null;
  /** 40 or 64 hex digits; null when the ref was created, and in bulk. */
  commitFrom: string | null;
  /** null when the ref was removed, and in bulk. */
  commitTo: string | null;
  /** 0 for removals and in bulk. */
  commitCount: number;
  /** First line of the newest commit, at most 70 characters; null for removals and in bulk. */
  commitTitle: string | null;
  /** Number of refs of a bulk push; null otherwise. */
  refCount: number | null;
}

/** Event in a project. */
export interface NewEvent {
  projectId: number;
  /** User who caused the event; for memberships the member. */
  authorId: number;
  action: EventAction;
  /** null for pushes. */
  target?: { type: EventTarget; id: number };
  /** Of comments: what they stand beneath. Commits have no id. */
  noteable?: { type: EventNoteable; id: number | null };
  push?: PushedRefs;
}
