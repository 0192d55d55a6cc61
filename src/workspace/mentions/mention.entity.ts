import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Namespace } from '../../identity/users/namespace.entity.js';
import { User } from '../../identity/users/user.entity.js';

/**
 * Mention in a text: of a user, a group, or all members of the project (neither is set). The text
 * is that of an issue, a merge request (title and description) or a comment: exactly one.
 */
@Entity('mentions')
@Index('ix_mentions_issue', ['issueId'], { where: '"issue_id" IS NOT NULL' })
@Index('ix_mentions_merge_request', ['mergeRequestId'], { where: '"merge_request_id" IS NOT NULL' })
@Index('ix_mentions_note', ['noteId'], { where: '"note_id" IS NOT NULL' })
@Index('ix_mentions_user', ['userId'], { where: '"user_id" IS NOT NULL' })
@Index('ix_mentions_namespace', ['namespaceId'], { where: '"namespace_id" IS NOT NULL' })
@Check('ck_mentions_text', `num_nonnulls("issue_id", "merge_request_id", "note_id") = 1`)
@Check('ck_mentions_who', `num_nonnulls("user_id", "namespace_id") <= 1`)
export class Mention {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'pk_mentions' })
  id: number;

  @ForeignKey('Issue', { name: 'fk_mentions_issue', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'issue_id', nullable: true })
  issueId: number | null;

  @ForeignKey('MergeRequest', { name: 'fk_mentions_merge_request', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'merge_request_id', nullable: true })
  mergeRequestId: number | null;

  @ForeignKey('Note', { name: 'fk_mentions_note', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'note_id', nullable: true })
  noteId: number | null;

  @ForeignKey(() => User, { name: 'fk_mentions_user', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'user_id', nullable: true })
  userId: number | null;

  /** A group. */
  @ForeignKey(() => Namespace, { name: 'fk_mentions_namespace', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'namespace_id', nullable: true })
  namespaceId: number | null;
}
