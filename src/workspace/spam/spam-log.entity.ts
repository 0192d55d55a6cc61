import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { User } from '../../identity/users/user.entity.js';

export type SpammableKind = 'issue' | 'merge_request' | 'snippet' | 'comment';

/** One submission that was taken for spam; a solved CAPTCHA redeems it once. */
@Entity('spam_logs')
@Index('ix_spam_logs_user', ['userId', 'createdAt'])
@Check('ck_spam_logs_kind', `"kind" IN ('issue', 'merge_request', 'snippet', 'comment')`)
export class SpamLog {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'pk_spam_logs' })
  id: number;

  @ForeignKey(() => User, { name: 'fk_spam_logs_user', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'user_id' })
  userId: number;

  @Column({ type: 'text', name: 'kind' })
  kind: SpammableKind;

  /** Beginning of the text where there is no title. */
  @Column({ type: 'text', name: 'title' })
  title: string;

  /** Which check spoke: `local` or `akismet`. */
  @Column({ type: 'text', name: 'checker' })
  checker: string;

  /** Why, for administrators. */
  @Column({ type: 'text', name: 'reason' })
  reason: string;

  @Column({ type: 'inet', name: 'ip_address', nullable: true })
  ipAddress: string | null;

  @Column({ type: 'text', name: 'user_agent', default: '' })
  userAgent: string;

  /** When a solved CAPTCHA redeemed it. */
  @Column({ type: 'timestamptz', precision: 3, name: 'redeemed_at', nullable: true })
  redeemedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

/** That a user sent a text some minutes ago, by its digest: how repetitions are recognised. */
@Entity('spam_submissions')
@Index('ix_spam_submissions_user', ['userId', 'createdAt'])
export class SpamSubmission {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_spam_submissions',
  })
  id: number;

  @ForeignKey(() => User, { name: 'fk_spam_submissions_user', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'user_id' })
  userId: number;

  @Column({ type: 'bytea', name: 'digest' })
  digest: Buffer;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
