import type {
  EventAction,
  EventNoteable,
  EventTarget,
  PushAction,
  RefType,
} from './event-kinds.js';

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
