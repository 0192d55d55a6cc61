import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { User } from '../identity/users/user.entity.js';
import { Alert } from './alert.entity.js';

/** Why an email about an alert is written. */
export type AlertNews = 'firing' | 'recovery';

/** News of an alert that go into the next email to a person; deleted together with writing it. */
@Entity('pending_alert_emails')
@Index('ix_pending_alert_emails_user', ['userId'])
@Index('ix_pending_alert_emails_alert', ['alertId'])
@Check('ck_pending_alert_emails_news', `"news" IN ('firing', 'recovery')`)
export class PendingAlertEmail {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_pending_alert_emails',
  })
  id: number;

  @ForeignKey(() => User, { name: 'fk_pending_alert_emails_user', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'user_id' })
  userId: number;

  @ForeignKey(() => Alert, { name: 'fk_pending_alert_emails_alert', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'alert_id' })
  alertId: number;

  @Column({ type: 'text', name: 'news' })
  news: AlertNews;

  /** Events that it stands for. */
  @Column({ type: 'integer', name: 'events' })
  events: number;
}

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

export type ReactionKind = 'open_incident' | 'close_incident' | 'mail_firing' | 'mail_recovery';

/**
 * Work about an alert that a worker has yet to do, written in the transaction of its cause and
 * deleted in the transaction of its effect.
 */
@Entity('alert_reactions')
@Index('ix_alert_reactions_due', ['notBefore', 'id'])
@Index('ix_alert_reactions_alert', ['alertId'])
@Index('uq_alert_reactions_open_incident', ['alertId'], {
  unique: true,
  where: `"kind" = 'open_incident'`,
})
@Check(
  'ck_alert_reactions_kind',
  `"kind" IN ('open_incident', 'close_incident', 'mail_firing', 'mail_recovery')`,
)
export class AlertReaction {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_alert_reactions',
  })
  id: number;

  @ForeignKey(() => Alert, { name: 'fk_alert_reactions_alert', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'alert_id' })
  alertId: number;

  @Column({ type: 'text', name: 'kind' })
  kind: ReactionKind;

  /** Number of events that the reaction stands for. */
  @Column({ type: 'integer', name: 'events', default: 1 })
  events: number;

  @Column({ type: 'integer', name: 'attempts', default: 0 })
  attempts: number;

  /** Not to be tried before. */
  @Column({ type: 'timestamptz', precision: 3, name: 'not_before', default: () => 'now()' })
  notBefore: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
