import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumns } from '../../core/sql/timestamp-columns.js';
import { User } from '../users/user.entity.js';

/**
 * A further email address of a user; the primary one is in the user's row. Several people can claim
 * an address, only one can confirm it: a trigger keeps confirmed and primary ones unique.
 */
@Entity('user_emails')
@Index('ix_user_emails_user', ['userId', 'id'])
@Index('uq_user_emails_user_email', { synchronize: false })
@Check('ck_user_emails_email', `"email" <> ''`)
export class UserEmail extends TimestampColumns {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_user_emails',
  })
  id: number;

  @ForeignKey(() => User, { name: 'fk_user_emails_user', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'user_id' })
  userId: number;

  @Column({ type: 'text', name: 'email' })
  email: string;

  @Column({ type: 'timestamptz', precision: 3, name: 'confirmed_at', nullable: true })
  confirmedAt: Date | null;
}
