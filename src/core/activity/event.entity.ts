import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

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
