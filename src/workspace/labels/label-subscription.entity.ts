import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../../identity/users/user.entity.js';
import { Label } from './label.entity.js';

/** A user who is notified of issues and merge requests that get a label. */
@Entity('label_subscriptions')
@Index('ix_label_subscriptions_user', ['userId'])
export class LabelSubscription {
  @ForeignKey(() => Label, { name: 'fk_label_subscriptions_label', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'label_id',
    primaryKeyConstraintName: 'pk_label_subscriptions',
  })
  labelId: number;

  @ForeignKey(() => User, { name: 'fk_label_subscriptions_user', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'user_id',
    primaryKeyConstraintName: 'pk_label_subscriptions',
  })
  userId: number;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
