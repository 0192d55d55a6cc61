import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumns } from '../../core/sql/timestamp-columns.js';
import { User } from '../../identity/users/user.entity.js';

/**
 * Note of a noteable: a comment, or a system note about an event. Exactly one of the columns that
 * name the noteable is set.
 */
@Entity('notes')
@Index('ix_notes_issue', ['issueId', 'createdAt', 'id'], { where: '"issue_id" IS NOT NULL' })
@Index('ix_notes_alert', ['alertId', 'createdAt', 'id'], { where: '"alert_id" IS NOT NULL' })
@Index('ix_notes_merge_request', ['mergeRequestId', 'createdAt', 'id'], {
  where: '"merge_request_id" IS NOT NULL',
})
@Index('ix_notes_snippet', ['snippetId', 'createdAt', 'id'], {
  where: '"snippet_id" IS NOT NULL',
})
@Index('ix_notes_commit', ['commitProjectId', 'commitSha', 'createdAt', 'id'], {
  where: '"commit_project_id" IS NOT NULL',
})
@Index('ix_notes_author', ['authorId'])
@Check(
  'ck_notes_noteable',
  `num_nonnulls("issue_id", "alert_id", "merge_request_id", "snippet_id", "commit_project_id") = 1`,
)
@Check('ck_notes_commit', `("commit_project_id" IS NULL) = ("commit_sha" IS NULL)`)
@Check(
  'ck_notes_commit_line',
  `num_nonnulls("commit_path", "commit_line", "commit_line_type") IN (0, 3)
        AND ("commit_path" IS NULL OR "commit_sha" IS NOT NULL)
        AND "commit_line_type" IN ('new', 'old')`,
)
@Check('ck_notes_body', `char_length("body") BETWEEN 1 AND 1000000`)
export class Note extends TimestampColumns {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'pk_notes' })
  id: number;

  @ForeignKey('Issue', { name: 'fk_notes_issue', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'issue_id', nullable: true })
  issueId: number | null;

  @ForeignKey('Alert', { name: 'fk_notes_alert', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'alert_id', nullable: true })
  alertId: number | null;

  @ForeignKey('MergeRequest', { name: 'fk_notes_merge_request', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'merge_request_id', nullable: true })
  mergeRequestId: number | null;

  @ForeignKey('Snippet', { name: 'fk_notes_snippet', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'snippet_id', nullable: true })
  snippetId: number | null;

  /** A commit is named by its project and its id. */
  @ForeignKey('Project', { name: 'fk_notes_commit_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'commit_project_id', nullable: true })
  commitProjectId: number | null;

  @Column({ type: 'text', name: 'commit_sha', nullable: true })
  commitSha: string | null;

  /** The line of a commit's changes that a comment is about: file, number, side. */
  @Column({ type: 'text', name: 'commit_path', nullable: true })
  commitPath: string | null;

  @Column({ type: 'integer', name: 'commit_line', nullable: true })
  commitLine: number | null;

  @Column({ type: 'text', name: 'commit_line_type', nullable: true })
  commitLineType: 'new' | 'old' | null;

  @ForeignKey(() => User, { name: 'fk_notes_author' })
  @Column({ type: 'bigint', name: 'author_id' })
  authorId: number;

  /** Markdown. */
  @Column({ type: 'text', name: 'body' })
  body: string;

  /** True for system notes. */
  @Column({ type: 'boolean', name: 'system', default: false })
  system: boolean;

  /** Visible to Reporters and above only. */
  @Column({ type: 'boolean', name: 'internal', default: false })
  internal: boolean;
}
