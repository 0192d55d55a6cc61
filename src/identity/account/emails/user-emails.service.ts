import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditLog } from '../../../core/audit/audit.service.js';
import { Clock } from '../../../core/clock.js';
import { ForbiddenError, NotFoundError, ValidationFailedError } from '../../../core/errors.js';
import { NO_PRECONDITIONS, type Preconditions } from '../../../core/preconditions.js';
import { assertValidUser, translateConflict } from '../../users/user-rules.js';
import { User, UserEmail } from '../../users/user.entity.js';
import { UsersRepository } from '../../users/users.repository.js';
import { PasswordSignIn } from '../../auth/password-sign-in.service.js';
import { SignInRefusedError } from '../../auth/user-state.js';
import type { SignedInContext } from '../../../core/access/auth-context.js';
import { MailLinksRepository } from '../mail-links.repository.js';
import { AccountEmails } from '../account-emails.service.js';

/** Limit of addresses per user, against sending confirmation emails in bulk. */
const MAX_ADDRESSES = 20;
/** Limit of confirmation links per user; removing an address does not delete its link. */
const MAX_LINKS = 40;

/** Adds, removes and confirms email addresses of a user, and chooses the primary one, under a lock. */
@Injectable()
export class UserEmailsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersRepository,
    private readonly links: MailLinksRepository,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
    private readonly accountEmails: AccountEmails,
    private readonly passwords: PasswordSignIn,
  ) {}

  /**
   * Adds an address and sends a confirmation link to it. Does not reveal if other users have it.
   * Throws 400 with messages for an invalid address, one that the viewer has already, and for one
   * too many; 403 for bots.
   */
  async add(email: string, auth: SignedInContext): Promise<UserEmail> {
    if (auth.viewer.userType !== 'human') throw new ForbiddenError();
    assertValidUser({ email });
    const userId = auth.viewer.id;
    return this.dataSource.transaction(async (tx) => {
      const user = await this.users.lock(tx, userId);
      assertFree(email, user, await tx.findBy(UserEmail, { userId }));
      assertFewLinks(await this.links.countOfUser(tx, userId, 'confirm_email'));
      const { identifiers } = await tx.insert(UserEmail, { userId, email });
      await this.accountEmails.sendConfirmation(tx, user, email);
      await this.record(tx, auth, { action: 'email_added', details: { email } });
      return tx.findOneByOrFail(UserEmail, { id: (identifiers[0] as { id: number }).id });
    });
  }

  /**
   * Resends the confirmation link; `id` null = of the primary email. Throws 404 for addresses of
   * other users, 400 for a confirmed one, or one whose last link is less than a minute old.
   */
  async sendAgain(id: number | null, auth: SignedInContext): Promise<void> {
    const userId = auth.viewer.id;
    await this.dataSource.transaction(async (tx) => {
      const user = await this.users.lock(tx, userId);
      const { email, confirmedAt } = id === null ? user : await findOwn(tx, userId, id);
      if (confirmedAt !== null) throw new ValidationFailedError({ base: ['It is confirmed'] });
      if (await this.accountEmails.sendConfirmation(tx, user, email)) return;
      throw new ValidationFailedError({
        base: ['A link was emailed to you less than a minute ago. Wait a minute, then try again'],
      });
    });
  }

  /**
   * Removes one of the viewer's secondary addresses, from the profile as well. Confirmation links
   * already sent have no effect for removed addresses. Throws 404 for any other address, and 412.
   */
  async remove(
    id: number,
    auth: SignedInContext,
    preconditions: Preconditions = NO_PRECONDITIONS,
  ): Promise<void> {
    const userId = auth.viewer.id;
    await this.dataSource.transaction(async (tx) => {
      const user = await this.users.lock(tx, userId);
      const { email, updatedAt } = await findOwn(tx, userId, id);
      preconditions.check(updatedAt);
      await tx.delete(UserEmail, { id });
      if (user.publicEmail === email) {
        await tx.update(User, { id: userId }, { publicEmail: '', updatedAt: this.clock.now() });
      }
      await this.record(tx, auth, { action: 'email_removed', details: { email } });
    });
  }

  /**
   * Makes a confirmed secondary email the primary one; the former primary email becomes secondary.
   * Notifies the former primary email and expires password reset links that were sent to it. Throws
   * 404 for an email of another user, 400 for an unconfirmed email, and for a wrong password, which
   * counts as a failed sign-in.
   */
  async makePrimary(id: number, password: string, auth: SignedInContext): Promise<void> {
    await this.assertPassword(password, auth);
    try {
      await this.dataSource.transaction((tx) => this.swap(tx, id, auth));
    } catch (error) {
      throw translateConflict(error);
    }
  }

  private async assertPassword(password: string, { viewer, ip }: SignedInContext): Promise<void> {
    try {
      await this.passwords.identify(viewer.username, password, ip);
    } catch (error) {
      if (!(error instanceof SignInRefusedError)) throw error;
      throw new ValidationFailedError({ current_password: ['is wrong'] });
    }
  }

  private async swap(tx: EntityManager, id: number, auth: SignedInContext): Promise<void> {
    const userId = auth.viewer.id;
    const user = await this.users.lock(tx, userId);
    const { email, confirmedAt } = await findOwn(tx, userId, id);
    if (confirmedAt === null) {
      throw new ValidationFailedError({ email: ['must be confirmed before'] });
    }
    const former = { email: user.email, confirmedAt: user.confirmedAt };
    await tx.update(UserEmail, { id }, { ...former, updatedAt: this.clock.now() });
    await tx.update(User, { id: userId }, { email, confirmedAt, updatedAt: this.clock.now() });
    await this.links.deleteOfUser(tx, userId, 'reset_password');
    await this.accountEmails.notifyFormerPrimary(tx, user, user.email);
    const details = { email: { from: user.email, to: email } };
    await this.record(tx, auth, { action: 'user_updated', details });
  }

  private record(
    tx: EntityManager,
    auth: SignedInContext,
    entry: { action: string; details: Record<string, unknown> },
  ): Promise<void> {
    const target = { targetType: 'User', targetId: auth.viewer.id };
    return this.audit.record(tx, auth, { ...target, ...entry });
  }
}

function assertFree(email: string, user: User, others: UserEmail[]): void {
  const own = [user, ...others].map((one) => one.email.toLowerCase());
  if (own.includes(email.toLowerCase())) {
    throw new ValidationFailedError({ email: ['has already been taken'] });
  }
  if (others.length >= MAX_ADDRESSES) {
    throw new ValidationFailedError({ base: [`No more than ${MAX_ADDRESSES} addresses`] });
  }
}

function assertFewLinks(count: number): void {
  if (count < MAX_LINKS) return;
  throw new ValidationFailedError({ base: ['Too many addresses were added. Try again later'] });
}

async function findOwn(tx: EntityManager, userId: number, id: number): Promise<UserEmail> {
  const email = await tx.findOneBy(UserEmail, { id, userId });
  if (email === null) throw new NotFoundError('Email');
  return email;
}
