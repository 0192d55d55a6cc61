import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

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

/**
 * Something that happened in a project, partitioned by month. It has no foreign keys: triggers of
 * what it is about remove it with that, and listings join the project, so that one without is
 * never shown. Nothing about who can see it is kept here: that is decided when it is read.
 *
 * The indexes of the lists carry along what decides about a row (INCLUDE), so that rows before a
 * page, and those that a filter leaves out, are never read themselves.
 */
@Entity('events')
@Index('ix_events_project', { synchronize: false })
@Index('ix_events_author', { synchronize: false })
@Index('ix_events_target', ['targetId', 'targetType'], { where: '"target_id" IS NOT NULL' })
@Check('ck_events_action', `"action" BETWEEN 1 AND 12`)
@Check(
  'ck_events_push',
  `("action" = 5) = ("push_action" IS NOT NULL) AND ("action" = 5) = ("ref_type" IS NOT NULL)
        AND ("action" = 5) = ("commit_count" IS NOT NULL) AND ("action" <> 5 OR "target_type" IS NULL)
        AND ("action" <> 5 OR ("ref" IS NULL) = ("ref_count" IS NOT NULL))`,
)
@Check('ck_events_noteable', `("action" = 6) = ("noteable_type" IS NOT NULL)`)
export class Event {
  @PrimaryColumn({
    type: 'timestamptz',
    precision: 3,
    name: 'created_at',
    default: () => 'now()',
    primaryKeyConstraintName: 'pk_events',
  })
  createdAt: Date;

  @PrimaryColumn({
    type: 'bigint',
    name: 'id',
    generated: 'identity',
    primaryKeyConstraintName: 'pk_events',
  })
  id: number;

  @Column({ type: 'bigint', name: 'project_id' })
  projectId: number;

  /** A deleted one's events are erased by the worker (`erased_authors`). */
  @Column({ type: 'bigint', name: 'author_id' })
  authorId: number;

  /** EVENT_ACTIONS */
  @Column({ type: 'smallint', name: 'action' })
  action: number;

  /** EVENT_TARGETS; null for pushes. */
  @Column({ type: 'smallint', name: 'target_type', nullable: true })
  targetType: number | null;

  /** null for pushes and deleted milestones. */
  @Column({ type: 'bigint', name: 'target_id', nullable: true })
  targetId: number | null;

  /** EVENT_NOTEABLES, of comments. */
  @Column({ type: 'smallint', name: 'noteable_type', nullable: true })
  noteableType: number | null;

  /** null for commits. */
  @Column({ type: 'bigint', name: 'noteable_id', nullable: true })
  noteableId: number | null;

  /** PUSH_ACTIONS */
  @Column({ type: 'smallint', name: 'push_action', nullable: true })
  pushAction: number | null;

  /** REF_TYPES */
  @Column({ type: 'smallint', name: 'ref_type', nullable: true })
  refType: number | null;

  /** Short name; null in bulk. */
  @Column({ type: 'text', name: 'ref', nullable: true })
  ref: string | null;

  @Column({ type: 'text', name: 'commit_from', nullable: true })
  commitFrom: string | null;

  @Column({ type: 'text', name: 'commit_to', nullable: true })
  commitTo: string | null;

  @Column({ type: 'integer', name: 'commit_count', nullable: true })
  commitCount: number | null;

  @Column({ type: 'text', name: 'commit_title', nullable: true })
  commitTitle: string | null;

  /** Number of refs of a bulk push. */
  @Column({ type: 'integer', name: 'ref_count', nullable: true })
  refCount: number | null;
}

/** A deleted user whose events are still to be erased by the worker, however many there are. */
@Entity('erased_authors')
export class AnonymizedAuthor {
  @PrimaryColumn({
    type: 'bigint',
    name: 'author_id',
    primaryKeyConstraintName: 'pk_erased_authors',
  })
  authorId: number;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
