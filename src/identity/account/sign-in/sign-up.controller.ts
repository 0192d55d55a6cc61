import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Page } from '../../../core/access/access.decorator.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { requestAddress } from '../../../core/http/request-address.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { InstanceSettings } from '../../../core/settings/instance-settings.service.js';
import { ReadsPrimary } from '../../../core/sql/replica/request-reads.js';
import { formErrors, FormInput, given, type FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { TextParam } from '../../../core/params/params.decorator.js';
import { SignUpPage } from './sign-in.page.js';
import { Clock } from '../../../core/clock.js';
import { NotFoundError } from '../../../core/errors.js';
import { UsersService } from '../../users/users.service.js';
import { AccountEmails } from '../account-emails.service.js';

/** Steps that a new user has to complete before signing in. */
type NextStep = 'sign_in' | 'confirm' | 'wait_for_approval' | 'confirm_and_wait';

const NOTICES: Record<NextStep, string> = {
  sign_in: 'Your account is ready. Sign in with it.',
  confirm: 'Check your email and confirm your address, then sign in.',
  wait_for_approval: 'Your account is pending approval by an administrator.',
  confirm_and_wait:
    'Check your email and confirm your address. An administrator must also approve your account.',
};

/** Fields of the form to register with. */
class SignUpDto {
  /** Full name. */
  @TextParam({ required: true }) name: string;
  /** Name in paths and mentions. */
  @TextParam({ required: true }) username: string;
  /** Email of the account. */
  @TextParam({ required: true }) email: string;
  @TextParam({ required: true }) password: string;
}

/** The page to sign up. */
@ReadsPrimary()
@Controller(atRoot('users/sign_up'))
@Page('anyone')
export class SignUpController {
  constructor(
    private readonly users: UsersService,
    private readonly accountEmails: AccountEmails,
    private readonly settings: InstanceSettings,
    private readonly clock: Clock,
  ) {}

  /** Shows the sign-up form; 404 while sign-up is disabled. */
  @Get()
  show(@Context() pageContext: PageContext): HttpResponse {
    this.assertOpen();
    return pageContext.viewer === null ? this.page(pageContext, {}) : pageContext.redirect('/');
  }

  @Post()
  async register(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @Req() request: Request,
  ): Promise<HttpResponse> {
    try {
      const dto = await parseInput(SignUpDto, form);
      const next = await this.createUser(dto, requestAddress(request));
      return pageContext.redirect('/users/sign_in', { notice: NOTICES[next] });
    } catch (error) {
      return this.page(pageContext, form, formErrors(error));
    }
  }

  /** Throws 404 while sign-up is disabled. */
  private assertOpen(): void {
    if (!this.settings.values.signup_enabled) throw new NotFoundError();
  }

  /**
   * Creates the account and sends an email that confirms its address. Throws 404 while sign-up is
   * disabled, 400 with messages per field, 409 for a username or email that is taken.
   */
  private async createUser(dto: SignUpDto, ip: string | null): Promise<NextStep> {
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
      if (confirms) await this.accountEmails.sendConfirmation(tx, user, user.email);
    });
    if (values.email_confirmation_setting === 'hard') return waits ? 'confirm_and_wait' : 'confirm';
    return waits ? 'wait_for_approval' : 'sign_in';
  }

  private page(
    pageContext: PageContext,
    form: Record<string, unknown>,
    errors?: FormProblems,
  ): HttpResponse {
    const page = SignUpPage({
      csrfToken: pageContext.csrfToken,
      errors,
      minimumLength: this.settings.values.minimum_password_length,
      name: given(form, 'name'),
      username: given(form, 'username'),
      email: given(form, 'email'),
    });
    return pageContext.render(
      page,
      { title: 'Sign up', narrow: true },
      errors === undefined ? 200 : 422,
    );
  }
}
