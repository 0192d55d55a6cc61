import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { User } from '../identity/users/user.entity.js';

/** Limits a person to one alert email per window; its row is locked while an email is written. */
@Entity('alert_email_windows')
export class AlertEmailWindow {
  @ForeignKey(() => User, { name: 'fk_alert_email_windows_user', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'user_id',
    primaryKeyConstraintName: 'pk_alert_email_windows',
  })
  userId: number;

  /** No email before. */
  @Column({ type: 'timestamptz', precision: 3, name: 'next_at', default: () => `'-infinity'` })
  nextAt: Date;
}
