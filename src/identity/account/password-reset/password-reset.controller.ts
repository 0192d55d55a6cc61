import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Page } from '../../../core/access/page.decorator.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { requestAddress } from '../../../core/http/request-address.js';
import { atRoot } from '../../../core/http/root-path.js';
import { InstanceSettings } from '../../../core/settings/instance-settings.service.js';
import { FormInput, given } from '../../../core/ui/form-input.decorator.js';
import { formErrors, type FormProblems } from '../../../core/ui/form-errors.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { withMinimumDuration } from '../minimum-duration.js';
import { LinkRefusedError } from '../mail-links.service.js';
import { ForgottenPasswordPage, NewPasswordPage } from './password-reset.page.js';
import { PasswordResets } from './password-resets.service.js';

const SENT =
  'If your address is registered here, you get a mail with a link to set a new password.';

/** Pages for people who forgot their password. */
@Controller(atRoot('users/password'))
@Page('anyone')
export class PasswordResetController {
  constructor(
    private readonly resets: PasswordResets,
    private readonly settings: InstanceSettings,
  ) {}

  /** Asks for the address. */
  @Get('new')
  ask(@Context() pageContext: PageContext): HttpResponse {
    return this.askAgain(pageContext);
  }

  /** Sends the email; the response is the same for every address. */
  @Post()
  async request(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    await withMinimumDuration(this.resets.request(given(form, 'email').trim()));
    return pageContext.redirect('/users/sign_in', { notice: SENT });
  }

  /** Shows the form behind the link of the email. */
  @Get('edit')
  async show(@Context() pageContext: PageContext, @Req() request: Request): Promise<HttpResponse> {
    const token = given(request.query, 'reset_password_token');
    if (await this.resets.isOpen(token)) return this.form(pageContext, token);
    return this.askAgain(pageContext, formErrors(new LinkRefusedError()));
  }

  /** Sets the password, which signs out everywhere, and leads to the sign-in page. */
  @Post('edit')
  async set(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @Req() request: Request,
  ): Promise<HttpResponse> {
    const token = given(form, 'reset_password_token');
    const password = given(form, 'password');
    const confirmation = given(form, 'password_confirmation');
    try {
      await this.resets.reset({ token, password, confirmation }, requestAddress(request));
    } catch (error) {
      const errors = formErrors(error);
      const isOver = error instanceof LinkRefusedError;
      return isOver ? this.askAgain(pageContext, errors) : this.form(pageContext, token, errors);
    }
    return pageContext.redirect('/users/sign_in', {
      notice: 'Your password is changed. Sign in with it.',
    });
  }

  private form(pageContext: PageContext, token: string, errors?: FormProblems): HttpResponse {
    const minimumLength = this.settings.values.minimum_password_length;
    const page = NewPasswordPage({
      csrfToken: pageContext.csrfToken,
      token,
      minimumLength,
      errors,
    });
    const info = { title: 'New password', narrow: true, noReferrer: true };
    return pageContext.render(page, info, errors === undefined ? 200 : 422);
  }

  private askAgain(pageContext: PageContext, errors?: FormProblems): HttpResponse {
    const page = ForgottenPasswordPage({ csrfToken: pageContext.csrfToken, errors });
    const info = { title: 'Forgotten password', narrow: true };
    return pageContext.render(page, info, errors === undefined ? 200 : 422);
  }
}
