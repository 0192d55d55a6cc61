import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumns } from '../../core/sql/timestamp-columns.js';
import { User } from '../../identity/users/user.entity.js';

/**
 * Subscription of a user to one thread: subscribed at every notification level, or unsubscribed.
 * Without a row the level decides. Exactly one of the columns that name the thread is set.
 */
@Entity('subscriptions')
@Index('uq_subscriptions_issue_user', ['issueId', 'userId'], {
  unique: true,
  where: '"issue_id" IS NOT NULL',
})
@Index('uq_subscriptions_merge_request_user', ['mergeRequestId', 'userId'], {
  unique: true,
  where: '"merge_request_id" IS NOT NULL',
})
@Index('uq_subscriptions_snippet_user', ['snippetId', 'userId'], {
  unique: true,
  where: '"snippet_id" IS NOT NULL',
})
@Index('uq_subscriptions_commit_user', ['commitProjectId', 'commitSha', 'userId'], {
  unique: true,
  where: '"commit_project_id" IS NOT NULL',
})
@Index('ix_subscriptions_user', ['userId'])
@Check(
  'ck_subscriptions_thread',
  `num_nonnulls("issue_id", "merge_request_id", "snippet_id", "commit_project_id") = 1`,
)
@Check('ck_subscriptions_commit', `("commit_project_id" IS NULL) = ("commit_sha" IS NULL)`)
export class Subscription extends TimestampColumns {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_subscriptions',
  })
  id: number;

  @ForeignKey(() => User, { name: 'fk_subscriptions_user', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'user_id' })
  userId: number;

  @ForeignKey('Issue', { name: 'fk_subscriptions_issue', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'issue_id', nullable: true })
  issueId: number | null;

  @ForeignKey('MergeRequest', { name: 'fk_subscriptions_merge_request', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'merge_request_id', nullable: true })
  mergeRequestId: number | null;

  @ForeignKey('Snippet', { name: 'fk_subscriptions_snippet', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'snippet_id', nullable: true })
  snippetId: number | null;

  @ForeignKey('Project', { name: 'fk_subscriptions_commit_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'commit_project_id', nullable: true })
  commitProjectId: number | null;

  @Column({ type: 'text', name: 'commit_sha', nullable: true })
  commitSha: string | null;

  /** False = unsubscribed from the thread, except for mentions. */
  @Column({ type: 'boolean', name: 'subscribed' })
  subscribed: boolean;
}
