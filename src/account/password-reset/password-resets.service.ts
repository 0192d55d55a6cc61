import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail } from '../../core/audit/audit.service.js';
import { ValidationFailedError } from '../../core/errors.js';
import { hashPassword } from '../../core/passwords.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { assertValidUser } from '../../users/user-rules.js';
import { User } from '../../users/user.entity.js';
import { LinkRefusedError } from '../link-refusal.js';
import { MailLinks, type LinkTarget } from '../mail-links/mail-links.service.js';
import { PasswordMails } from './password-mails.service.js';

/** Who reads mails at this address ($1), as it is written in their account; by indexes alone. */
const OWNER_SQL = `
  SELECT u.id, u.name, u.username, a.address
  FROM (
    SELECT id, email AS address FROM users
    WHERE lower(email) = lower($1) AND confirmed_at IS NOT NULL
    UNION ALL
    SELECT user_id, email FROM user_emails
    WHERE lower(email) = lower($1) AND confirmed_at IS NOT NULL
  ) a JOIN users u ON u.id = a.id
  WHERE u.user_type = 'human' AND u.state IN ('active', 'deactivated')
  LIMIT 1`;

/** Whether the user ($1) still reads mails at this address ($2), and may come back. */
const STILL_OWNS_SQL = `
  SELECT 1 FROM users u
  WHERE u.id = $1 AND u.state IN ('active', 'deactivated')
    AND (u.email = $2 AND u.confirmed_at IS NOT NULL OR EXISTS (SELECT FROM user_emails e
      WHERE e.user_id = u.id AND e.email = $2 AND e.confirmed_at IS NOT NULL))`;

type Owner = Pick<User, 'id' | 'name' | 'username'> & { address: string };

/** A new password with the link that allows to set it. */
export interface PasswordReset {
  token: string;
  password: string;
  confirmation: string;
}

/** New passwords for people who forgot theirs, by a link in a mail. */
@Injectable()
export class PasswordResets {
  constructor(
    private readonly dataSource: DataSource,
    private readonly links: MailLinks,
    private readonly mails: PasswordMails,
    private readonly settings: InstanceSettings,
    private readonly audit: AuditTrail,
  ) {}

  /** Mails a link to the confirmed address, as the account has it; says nothing about others. */
  async request(email: string): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const [owner] = await tx.query<Owner[]>(OWNER_SQL, [email]);
      if (owner === undefined) return;
      const target = { purpose: 'reset_password', userId: owner.id, email: owner.address } as const;
      const token = await this.links.issue(tx, target);
      if (token !== null) await this.mails.sendLink(tx, owner, token);
    });
    this.mails.wake();
  }

  /** Whether the link of a mail works. */
  async isOpen(token: string): Promise<boolean> {
    return (await this.find(this.dataSource.manager, token)) !== null;
  }

  /**
   * Sets the password; every session, application and other link of the user ends. Throws
   * LinkRefusedError, or 400 with messages per field, after which the link still works.
   */
  async reset(reset: PasswordReset, ip: string | null): Promise<void> {
    const { manager } = this.dataSource;
    const link = await this.find(manager, reset.token);
    const owner = link === null ? null : await manager.findOneBy(User, { id: link.userId });
    if (owner === null) throw new LinkRefusedError();
    const { values: settings } = this.settings;
    assertValidUser({}, { value: reset.password, owner, settings });
    if (reset.password !== reset.confirmation) {
      throw new ValidationFailedError({ password_confirmation: ["doesn't match the password"] });
    }
    const passwordDigest = await hashPassword(reset.password);
    await this.dataSource.transaction((tx) => this.replace(tx, { ...reset, passwordDigest }, ip));
    this.mails.wake();
  }

  /** A link works for as long as it was mailed to an address of the user. */
  private async find(tx: EntityManager, token: string): Promise<LinkTarget | null> {
    const link = await this.links.look(tx, token, 'reset_password');
    return link !== null && (await isOwned(tx, link)) ? link : null;
  }

  private async replace(
    tx: EntityManager,
    { token, passwordDigest }: PasswordReset & { passwordDigest: string },
    ip: string | null,
  ): Promise<void> {
    const link = await this.links.consume(tx, token, 'reset_password');
    if (link === null || !(await isOwned(tx, link))) throw new LinkRefusedError();
    const { userId: id } = link;
    const values = { passwordDigest, failedAttempts: 0, lockedAt: null };
    await tx.update(User, { id }, { ...values, updatedAt: () => 'now()' });
    const user = await tx.findOneByOrFail(User, { id });
    await this.mails.tell(tx, user);
    await this.audit.record(
      tx,
      { viewer: { id }, impersonator: null, ip },
      { action: 'user_password_reset', targetType: 'User', targetId: id },
    );
  }
}

async function isOwned(tx: EntityManager, { userId, email }: LinkTarget): Promise<boolean> {
  const rows = await tx.query<object[]>(STILL_OWNS_SQL, [userId, email]);
  return rows.length === 1;
}
