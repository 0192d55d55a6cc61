import { Column, Entity, PrimaryColumn } from 'typeorm';

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
