import { Injectable } from '@nestjs/common';
import {
  Check,
  Column,
  DataSource,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
  Repository,
  type EntityManager,
} from 'typeorm';
import { Sql } from '../../core/sql/sql.service.js';
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

/** The purpose, user and address of a link. */
export interface LinkTarget {
  purpose: MailLinkPurpose;
  userId: number;
  /** Recipient address, which the link is about. */
  email: string;
}

/** Owns every statement about emailed links. */
@Injectable()
export class MailLinksRepository extends Repository<MailLink> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(MailLink, dataSource.manager);
  }

  /** Returns the latest link for a target or null. */
  findLatest(manager: EntityManager, target: LinkTarget): Promise<MailLink | null> {
    return manager.findOne(MailLink, { where: { ...target }, order: { id: 'DESC' } });
  }

  /** Replaces the links for a target by a new one. */
  async replace(
    manager: EntityManager,
    target: LinkTarget,
    link: Pick<MailLink, 'digest' | 'createdAt' | 'expiresAt'>,
  ): Promise<void> {
    await manager.delete(MailLink, { ...target });
    await manager.insert(MailLink, { ...target, ...link });
  }

  /** Returns the link with this digest and purpose, expired or not, or null. */
  findByDigest(
    manager: EntityManager,
    digest: Buffer,
    purpose: MailLinkPurpose,
  ): Promise<MailLink | null> {
    return manager.findOneBy(MailLink, { digest, purpose });
  }

  /** Deletes a link; returns false when another transaction has deleted it before. */
  async consume(
    manager: EntityManager,
    digest: Buffer,
    purpose: MailLinkPurpose,
  ): Promise<boolean> {
    const { affected } = await manager.delete(MailLink, { digest, purpose });
    return affected === 1;
  }

  /** Counts the links of a user for a purpose. */
  countOfUser(manager: EntityManager, userId: number, purpose: MailLinkPurpose): Promise<number> {
    return manager.countBy(MailLink, { userId, purpose });
  }

  /** Deletes the links of a user for a purpose. */
  async deleteOfUser(
    manager: EntityManager,
    userId: number,
    purpose: MailLinkPurpose,
  ): Promise<void> {
    await manager.delete(MailLink, { userId, purpose });
  }

  /** Deletes the links that have expired. */
  async deleteExpired(now: Date): Promise<void> {
    await this.queries.rows('DELETE FROM mail_links WHERE expires_at <= $1', [now]);
  }
}
