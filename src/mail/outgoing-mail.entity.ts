import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

export const MAIL_STATES = ['queued', 'sent', 'failed'] as const;
export type MailState = (typeof MAIL_STATES)[number];

/**
 * A mail to be sent, written in the transaction that gives the reason for it. Its content is
 * encrypted while it waits, because it may hold links that open an account, and forgotten when it
 * has been sent.
 */
@Entity('outgoing_mails')
@Index('ix_outgoing_mails_due', ['notBefore', 'id'], { where: `"state" = 'queued'` })
@Check('ck_outgoing_mails_state', `"state" IN ('queued', 'sent', 'failed')`)
@Check('ck_outgoing_mails_content', `("state" = 'sent') = ("sealed_content" IS NULL)`)
export class OutgoingMail {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_outgoing_mails',
  })
  id: number;

  @Column({ type: 'text', name: 'recipient' })
  recipient: string;

  /** What the mail is about, for administrators: `password_reset`, … */
  @Column({ type: 'text', name: 'kind' })
  kind: string;

  @Column({ type: 'text', name: 'state', default: 'queued' })
  state: MailState;

  /** Sealed JSON of subject, text, html and headers. */
  @Column({ type: 'text', name: 'sealed_content', nullable: true })
  sealedContent: string | null;

  @Column({ type: 'integer', name: 'attempts', default: 0 })
  attempts: number;

  /** Not to be tried before; also the end of the lease of the worker that is sending it. */
  @Column({ type: 'timestamptz', precision: 3, name: 'not_before', default: () => 'now()' })
  notBefore: Date;

  @Column({ type: 'text', name: 'last_error', nullable: true })
  lastError: string | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'sent_at', nullable: true })
  sentAt: Date | null;
}
