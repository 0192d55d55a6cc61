import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { User } from '../../identity/users/user.entity.js';

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
