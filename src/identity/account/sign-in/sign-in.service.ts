import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { SessionContext } from '../../../core/access/auth-context.js';
import { AuditLog } from '../../../core/audit/audit.service.js';
import { processCounter } from '../../../core/metrics/metrics-registry.js';
import { InstanceSettings } from '../../../core/settings/instance-settings.service.js';
import { AccountsRepository } from '../../auth/accounts.repository.js';
import { type Identified, PasswordSignIn } from '../../auth/password-sign-in.service.js';
import { Session } from '../../auth/sessions/sessions.repository.js';
import { obstacleOf, SignInRefusedError } from '../../auth/user-state.js';
import { Sessions } from '../../auth/sessions/sessions.service.js';

/** The browser that someone signs in with. */
interface Browser {
  ip: string | null;
  userAgent: string;
  /** Whose session it has had until now. */
  session: SessionContext | null;
}

/** Credentials of a sign-in. */
interface Credentials {
  login: string;
  password: string;
  remember: boolean;
}

/** A session that has just begun. */
interface Entry {
  /** For its cookie. */
  value: string;
  remembered: boolean;
}

const signIns = processCounter({
  name: 'guildhall_sign_ins_total',
  help: 'Sessions started with a password',
});

/** Signs users in by their password. */
@Injectable()
export class SignInService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: AccountsRepository,
    private readonly passwords: PasswordSignIn,
    private readonly sessions: Sessions,
    private readonly settings: InstanceSettings,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Begins a session and ends the one that the browser had. Deactivated users come back. Throws
   * what `PasswordSignIn.check` does.
   */
  async signIn({ login, password, remember }: Credentials, browser: Browser): Promise<Entry> {
    const identified = await this.passwords.identify(login, password, browser.ip);
    const { values } = this.settings;
    const obstacle = obstacleOf(identified.viewer, values);
    if (obstacle !== null && obstacle !== 'deactivated') throw new SignInRefusedError(obstacle);
    const remembered = remember && values.remember_me_enabled;
    const value = await this.dataSource.transaction((tx) =>
      this.enter(tx, { ...identified, remembered }, browser),
    );
    signIns.inc();
    return { value, remembered };
  }

  private async enter(
    tx: EntityManager,
    { viewer, passwordDigest, remembered }: Identified & { remembered: boolean },
    { ip, userAgent, session }: Browser,
  ): Promise<string> {
    const isRecorded = await this.accounts.recordSignIn(tx, viewer.id, { ip, passwordDigest });
    if (!isRecorded) throw new SignInRefusedError('credentials');
    if (session !== null) await tx.delete(Session, { id: session.id });
    const actor = { viewer, impersonator: null, ip };
    await this.audit.record(tx, actor, {
      action: 'user_signed_in',
      targetType: 'User',
      targetId: viewer.id,
      details: { remembered, ...(viewer.state === 'deactivated' && { reactivated: true }) },
    });
    return this.sessions.start(tx, { userId: viewer.id, remembered, ip, userAgent });
  }
}
