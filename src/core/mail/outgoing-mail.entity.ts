import { Check, Column, Entity, Index, PrimaryGeneratedColumn, PrimaryColumn } from 'typeorm';

type MailState = 'queued' | 'sent' | 'failed' | 'withheld';

/**
 * A mail to be sent, written in the transaction that gives the reason for it. Its content is
 * encrypted while it waits, because it may hold links that open an account, and forgotten when it
 * has been sent. Mails about notifications have none: it is made when they are sent, from what
 * their reader can see then, and they are withheld when that is nothing.
 */
@Entity('outgoing_mails')
@Index('ix_outgoing_mails_due', ['notBefore', 'id'], {
  where: `"state" = 'queued' AND "notification_id" IS NULL`,
})
@Index('ix_outgoing_mails_notifications_due', ['notBefore', 'id'], {
  where: `"state" = 'queued' AND "notification_id" IS NOT NULL`,
})
@Index('uq_outgoing_mails_notification_user', ['notificationId', 'userId'], {
  unique: true,
  where: '"notification_id" IS NOT NULL',
})
@Index('ix_outgoing_mails_failed', ['id'], { where: `"state" = 'failed'` })
@Check('ck_outgoing_mails_state', `"state" IN ('queued', 'sent', 'failed', 'withheld')`)
@Check('ck_outgoing_mails_notification', `("notification_id" IS NULL) = ("user_id" IS NULL)`)
@Check(
  'ck_outgoing_mails_content',
  `("state" = 'sent' OR "notification_id" IS NOT NULL) = ("encrypted_content" IS NULL)`,
)
export class OutgoingMail {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_outgoing_mails',
  })
  id: number;

  @Column({ type: 'text', name: 'recipient' })
  recipient: string;

  /** Kind of the email, for administrators: `password_reset`, … */
  @Column({ type: 'text', name: 'kind' })
  kind: string;

  /** Notification of the email (`notifications`), together with its recipient. */
  @Column({ type: 'bigint', name: 'notification_id', nullable: true })
  notificationId: number | null;

  @Column({ type: 'bigint', name: 'user_id', nullable: true })
  userId: number | null;

  /** Why the user gets a mail about the notification: MAIL_REASONS; null = none in particular. */
  @Column({ type: 'smallint', name: 'reason', nullable: true })
  reason: number | null;

  @Column({ type: 'text', name: 'state', default: 'queued' })
  state: MailState;

  /** Encrypted JSON of an EmailContent. */
  @Column({ type: 'text', name: 'encrypted_content', nullable: true })
  encryptedContent: string | null;

  @Column({ type: 'integer', name: 'attempts', default: 0 })
  attempts: number;

  /** Not to be tried before; also the end of the lease of the worker that is sending it. */
  @Column({ type: 'timestamptz', precision: 3, name: 'not_before', default: () => 'now()' })
  notBefore: Date;

  @Column({ type: 'text', name: 'last_error', nullable: true })
  lastError: string | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  /** When it was written, or someone had it sent again; days after that it is given up. */
  @Column({ type: 'timestamptz', precision: 3, name: 'queued_at', default: () => 'now()' })
  queuedAt: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'sent_at', nullable: true })
  sentAt: Date | null;
}

/**
 * Delivery failures of an address since `since`; after too many a day it gets no emails for a
 * while.
 */
@Entity('failing_addresses')
export class FailingAddress {
  /** In lower case. */
  @PrimaryColumn({
    type: 'text',
    name: 'address',
    primaryKeyConstraintName: 'pk_failing_addresses',
  })
  address: string;

  /** Attempts that the server rejected permanently. */
  @Column({ type: 'integer', name: 'permanent', default: 0 })
  permanent: number;

  /** Attempts that it refused for now. */
  @Column({ type: 'integer', name: 'temporary', default: 0 })
  temporary: number;

  /** Begin of the day that is counted. */
  @Column({ type: 'timestamptz', precision: 3, name: 'since', default: () => 'now()' })
  since: Date;
}

/** Daily (UTC) counts of email outcomes: kept forever, while the emails themselves are deleted. */
@Entity('mail_days')
export class MailDay {
  @PrimaryColumn({ type: 'date', name: 'day', primaryKeyConstraintName: 'pk_mail_days' })
  day: string;

  @Column({ type: 'integer', name: 'sent', default: 0 })
  sent: number;

  @Column({ type: 'integer', name: 'failed', default: 0 })
  failed: number;

  @Column({ type: 'integer', name: 'withheld', default: 0 })
  withheld: number;

  /** Attempts after which a mail was put off. */
  @Column({ type: 'integer', name: 'retried', default: 0 })
  retried: number;
}
