import { Injectable } from '@nestjs/common';
import { Clock } from '../../../core/clock.js';
import { NotFoundError } from '../../../core/errors.js';
import { InstanceSettings } from '../../../core/settings/instance-settings.service.js';
import { UserCreationService } from '../../users/user-creation.service.js';
import { AddressMails } from '../emails/address-mails.service.js';
import type { SignUpDto } from '../account.dto.js';

/** Steps that a new user has to complete before signing in. */
export type NextStep = 'sign_in' | 'confirm' | 'wait_for_approval' | 'confirm_and_wait';

/** Lets anyone make an account, if the settings allow it. */
@Injectable()
export class SignUps {
  constructor(
    private readonly users: UserCreationService,
    private readonly mails: AddressMails,
    private readonly settings: InstanceSettings,
    private readonly clock: Clock,
  ) {}

  /** Throws 404 while sign-up is disabled. */
  assertOpen(): void {
    if (!this.settings.values.signup_enabled) throw new NotFoundError();
  }

  /**
   * Creates the account and sends an email that confirms its address. Throws 404 while sign-up is
   * disabled, 400 with messages per field, 409 for a username or email that is taken.
   */
  async register(dto: SignUpDto, ip: string | null): Promise<NextStep> {
    this.assertOpen();
    const { values } = this.settings;
    const waits = values.require_admin_approval_after_user_signup;
    const confirms = values.email_confirmation_setting !== 'off';
    const attributes = {
      state: waits ? 'pending' : 'active',
      confirmedAt: confirms ? null : this.clock.now(),
    } as const;
    const input = { ...dto, name: dto.name.trim(), email: dto.email.trim(), attributes };
    const actor = { viewer: null, impersonator: null, ip };
    await this.users.create(input, actor, async (tx, user) => {
      if (confirms) await this.mails.sendLink(tx, user, user.email);
    });
    if (values.email_confirmation_setting === 'hard') return waits ? 'confirm_and_wait' : 'confirm';
    return waits ? 'wait_for_approval' : 'sign_in';
  }
}
