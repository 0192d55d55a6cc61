import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { User } from '../users/user.entity.js';

/**
 * What stands beneath something: a comment, or a system note about what happened to it. Exactly
 * one of the columns that name what it belongs to is set.
 */
@Entity('notes')
@Index('ix_notes_issue', ['issueId', 'createdAt', 'id'], { where: '"issue_id" IS NOT NULL' })
@Index('ix_notes_alert', ['alertId', 'createdAt', 'id'], { where: '"alert_id" IS NOT NULL' })
@Index('ix_notes_author', ['authorId'])
@Check('ck_notes_noteable', `num_nonnulls("issue_id", "alert_id") = 1`)
@Check('ck_notes_body', `char_length("body") BETWEEN 1 AND 1000000`)
export class Note {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'pk_notes' })
  id: number;

  @ForeignKey('Issue', { name: 'fk_notes_issue', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'issue_id', nullable: true })
  issueId: number | null;

  @ForeignKey('Alert', { name: 'fk_notes_alert', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'alert_id', nullable: true })
  alertId: number | null;

  @ForeignKey(() => User, { name: 'fk_notes_author' })
  @Column({ type: 'bigint', name: 'author_id' })
  authorId: number;

  /** Markdown. */
  @Column({ type: 'text', name: 'body' })
  body: string;

  /** Written by the server about a change. */
  @Column({ type: 'boolean', name: 'system', default: false })
  system: boolean;

  /** Seen by Reporters and above only. */
  @Column({ type: 'boolean', name: 'internal', default: false })
  internal: boolean;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
