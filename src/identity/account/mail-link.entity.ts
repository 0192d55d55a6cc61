import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { User } from '../users/user.entity.js';

export type MailLinkPurpose = 'reset_password' | 'confirm_email';

/**
 * Emailed link that proves that someone reads an address. It works once and expires; the row has
 * only the SHA-256 of its token.
 */
@Entity('mail_links')
@Index('uq_mail_links_digest', ['digest'], { unique: true })
@Index('ix_mail_links_user', ['userId', 'purpose'])
@Index('ix_mail_links_expires_at', ['expiresAt'])
@Check('ck_mail_links_purpose', `"purpose" IN ('reset_password', 'confirm_email')`)
export class MailLink {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'pk_mail_links' })
  id: number;

  @Column({ type: 'bytea', name: 'digest' })
  digest: Buffer;

  @Column({ type: 'text', name: 'purpose' })
  purpose: MailLinkPurpose;

  @ForeignKey(() => User, { name: 'fk_mail_links_user', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'user_id' })
  userId: number;

  /** The address to which it was sent. */
  @Column({ type: 'text', name: 'email' })
  email: string;

  @Column({ type: 'timestamptz', precision: 3, name: 'expires_at' })
  expiresAt: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
