import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { PasswordSignIn, type Identified } from '../../auth/passwords/password-sign-in.service.js';
import { SignInRefusedError } from '../../auth/passwords/sign-in-refusal.js';
import { Session } from '../../auth/sessions/session.entity.js';
import { Sessions } from '../../auth/sessions/sessions.service.js';
import type { Viewer } from '../../../core/access/viewer.js';
import { AuditLog } from '../../../core/audit/audit.service.js';
import { ValidationFailedError } from '../../../core/errors.js';
import { hashPassword } from '../../../core/passwords.js';
import { InstanceSettings } from '../../../core/settings/instance-settings.service.js';
import type { PasswordSettings } from '../../users/password-rules.js';
import { assertValidUser } from '../../users/user-rules.js';
import { User } from '../../users/user.entity.js';
import type { PasswordChangeDto } from '../account.dto.js';
import { PasswordMails } from '../password-reset/password-mails.service.js';
import type { SignedInContext } from '../signed-in.js';

/** The session that takes the place of all others. */
export interface NextSession {
  /** For its cookie. */
  value: string;
  remembered: boolean;
}

/** Lets people who are signed in change their password. */
@Injectable()
export class PasswordChanges {
  constructor(
    private readonly dataSource: DataSource,
    private readonly passwords: PasswordSignIn,
    private readonly sessions: Sessions,
    private readonly settings: InstanceSettings,
    private readonly audit: AuditLog,
    private readonly mails: PasswordMails,
  ) {}

  /**
   * Changes the viewer's password and notifies them by email. Ends all sessions and OAuth tokens,
   * and returns a new session for this browser. Throws 400 with messages per field; wrong current
   * passwords count and lock like those of a sign-in.
   */
  async change(
    dto: PasswordChangeDto,
    auth: SignedInContext,
    userAgent: string,
  ): Promise<NextSession> {
    assertNew(dto, auth.viewer, this.settings.values);
    const identified = await this.identify(dto, auth);
    const passwordDigest = await hashPassword(dto.password);
    return this.dataSource.transaction(async (tx) => {
      const remembered = await isRemembered(tx, auth);
      await this.replace(tx, identified, passwordDigest);
      await this.notify(tx, auth);
      const session = { userId: auth.viewer.id, remembered, ip: auth.ip, userAgent };
      return { value: await this.sessions.start(tx, session), remembered };
    });
  }

  /** Tells the trail and the viewer's primary address. */
  private async notify(tx: EntityManager, auth: SignedInContext): Promise<void> {
    const { id } = auth.viewer;
    await this.audit.record(tx, auth, {
      action: 'user_updated',
      targetType: 'User',
      targetId: id,
      details: { password: '[changed]' },
    });
    await this.mails.tell(tx, await tx.findOneByOrFail(User, { id }));
  }

  private async identify(
    { current_password: current }: PasswordChangeDto,
    { viewer, ip }: SignedInContext,
  ): Promise<Identified> {
    try {
      return await this.passwords.identify(viewer.username, current, ip);
    } catch (error) {
      throw error instanceof SignInRefusedError ? wrongPassword() : error;
    }
  }

  /** Ends every session of the user, by a trigger; the one that follows is begun later. */
  private async replace(
    tx: EntityManager,
    { viewer: { id }, passwordDigest: former }: Identified,
    passwordDigest: string,
  ): Promise<void> {
    const { affected } = await tx.update(
      User,
      { id, passwordDigest: former },
      { passwordDigest, updatedAt: () => 'now()' },
    );
    if (affected !== 1) throw wrongPassword();
  }
}

function assertNew(dto: PasswordChangeDto, owner: Viewer, settings: PasswordSettings): void {
  assertValidUser({}, { value: dto.password, owner, settings });
  if (dto.password !== dto.password_confirmation) {
    throw new ValidationFailedError({ password_confirmation: ["doesn't match the new password"] });
  }
  if (dto.password === dto.current_password) {
    throw new ValidationFailedError({ password: ['must differ from the current one'] });
  }
}

function wrongPassword(): ValidationFailedError {
  return new ValidationFailedError({ current_password: ['is wrong'] });
}

async function isRemembered(tx: EntityManager, { session }: SignedInContext): Promise<boolean> {
  const row = await tx.findOneBy(Session, { id: session?.id ?? 0 });
  return row?.remembered ?? false;
}
