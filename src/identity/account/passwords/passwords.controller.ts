import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Page } from '../../../core/access/access.decorator.js';
import { Auth, type SignedInContext } from '../../../core/access/auth-context.js';
import { atRoot } from '../../../core/http/paths.js';
import { ReadsPrimary } from '../../../core/sql/replica/request-reads.js';
import { formErrors, FormInput, given, type FormProblems } from '../../../core/ui/forms.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { InstanceSettings } from '../../../core/settings/instance-settings.service.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { requestAddress } from '../../../core/http/request-address.js';
import { BrowserSessions } from '../../auth/sessions/sessions.service.js';
import { PasswordChangeDto } from '../account.dto.js';
import { LinkRefusedError, withMinimumDuration } from '../mail-links.service.js';
import { PasswordsService } from './passwords.service.js';
import { ForgottenPasswordPage, NewPasswordPage, PasswordChangePage } from './passwords.page.js';

const CHANGE_PATH = '-/user_settings/password';
const RESET_PATH = 'users/password';

const SENT = "If an account exists for that address, we've emailed a reset link.";

/** Pages to change one's password, and to reset a forgotten one by an emailed link. */
@ReadsPrimary()
@Controller(atRoot())
export class PasswordsController {
  constructor(
    private readonly passwords: PasswordsService,
    private readonly browsers: BrowserSessions,
    private readonly settings: InstanceSettings,
  ) {}

  /** Shows the form to change the password. */
  @Get(`${CHANGE_PATH}/edit`)
  @Page('signed_in')
  edit(@Context() pageContext: PageContext): HttpResponse {
    return this.changeForm(pageContext);
  }

  /** Changes the password and continues in a new session, or shows the form again. */
  @Post(CHANGE_PATH)
  @Page('signed_in')
  async change(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: SignedInContext,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HttpResponse> {
    try {
      const dto = await parseInput(PasswordChangeDto, form);
      const next = await this.passwords.change(dto, auth, request.get('User-Agent') ?? '');
      this.browsers.enter(response, next.value, next.remembered);
    } catch (error) {
      return this.changeForm(pageContext, formErrors(error));
    }
    const notice = 'Your password was changed. All other sessions have ended.';
    return pageContext.redirect(`/${CHANGE_PATH}/edit`, { notice });
  }

  /** Asks for the address. */
  @Get(`${RESET_PATH}/new`)
  @Page('anyone')
  ask(@Context() pageContext: PageContext): HttpResponse {
    return this.requestForm(pageContext);
  }

  /** Sends the email; the response is the same for every address. */
  @Post(RESET_PATH)
  @Page('anyone')
  async request(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    await withMinimumDuration(this.passwords.requestReset(given(form, 'email').trim()));
    return pageContext.redirect('/users/sign_in', { notice: SENT });
  }

  /** Shows the form behind the link of the email. */
  @Get(`${RESET_PATH}/edit`)
  @Page('anyone')
  async show(@Context() pageContext: PageContext, @Req() request: Request): Promise<HttpResponse> {
    const token = given(request.query, 'reset_password_token');
    if (await this.passwords.isLinkValid(token)) return this.resetForm(pageContext, token);
    return this.requestForm(pageContext, formErrors(new LinkRefusedError()));
  }

  /** Sets the password, which signs out everywhere, and leads to the sign-in page. */
  @Post(`${RESET_PATH}/edit`)
  @Page('anyone')
  async set(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @Req() request: Request,
  ): Promise<HttpResponse> {
    const token = given(form, 'reset_password_token');
    const password = given(form, 'password');
    const confirmation = given(form, 'password_confirmation');
    try {
      await this.passwords.reset({ token, password, confirmation }, requestAddress(request));
    } catch (error) {
      const errors = formErrors(error);
      return error instanceof LinkRefusedError
        ? this.requestForm(pageContext, errors)
        : this.resetForm(pageContext, token, errors);
    }
    return pageContext.redirect('/users/sign_in', {
      notice: 'Password changed. Sign in with your new password.',
    });
  }

  private changeForm(pageContext: PageContext, errors?: FormProblems): HttpResponse {
    const page = PasswordChangePage({
      username: pageContext.viewer?.username ?? '',
      minimumLength: this.settings.values.minimum_password_length,
      csrfToken: pageContext.csrfToken,
      errors,
    });
    return pageContext.render(page, { title: 'Password', nav: 'account' }, errors ? 422 : 200);
  }

  private requestForm(pageContext: PageContext, errors?: FormProblems): HttpResponse {
    const page = ForgottenPasswordPage({ csrfToken: pageContext.csrfToken, errors });
    const info = { title: 'Reset password', narrow: true };
    return pageContext.render(page, info, errors ? 422 : 200);
  }

  private resetForm(pageContext: PageContext, token: string, errors?: FormProblems): HttpResponse {
    const minimumLength = this.settings.values.minimum_password_length;
    const page = NewPasswordPage({
      csrfToken: pageContext.csrfToken,
      token,
      minimumLength,
      errors,
    });
    const info = { title: 'Set a new password', narrow: true, noReferrer: true };
    return pageContext.render(page, info, errors ? 422 : 200);
  }
}
