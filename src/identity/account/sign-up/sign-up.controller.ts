import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Page } from '../../../core/access/page.decorator.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { requestAddress } from '../../../core/http/request-address.js';
import { atRoot } from '../../../core/http/root-path.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { InstanceSettings } from '../../../core/settings/instance-settings.service.js';
import { FormInput, given } from '../../../core/ui/form-input.decorator.js';
import { formErrors, type FormProblems } from '../../../core/ui/form-errors.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { SignUpDto } from '../account.dto.js';
import { SignUpPage } from './sign-up.page.js';
import { SignUps, type NextStep } from './sign-ups.service.js';

const NOTICES: Record<NextStep, string> = {
  sign_in: 'Your account is ready. Sign in with it.',
  confirm: 'We have sent you a mail. Follow the link in it to confirm your address, then sign in.',
  wait_for_approval: 'Your account waits for the approval of an administrator.',
  confirm_and_wait:
    'We have sent you a mail with a link that confirms your address. Your account also waits for the approval of an administrator.',
};

/** The page where people register. */
@Controller(atRoot('users/sign_up'))
@Page('anyone')
export class SignUpController {
  constructor(
    private readonly signUps: SignUps,
    private readonly settings: InstanceSettings,
  ) {}

  /** Shows the sign-up form; 404 while sign-up is disabled. */
  @Get()
  show(@Context() pageContext: PageContext): HttpResponse {
    this.signUps.assertOpen();
    return pageContext.viewer === null ? this.page(pageContext, {}) : pageContext.redirect('/');
  }

  /** Makes the account, or shows the form again with what is wrong. */
  @Post()
  async register(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @Req() request: Request,
  ): Promise<HttpResponse> {
    try {
      const dto = await parseInput(SignUpDto, form);
      const next = await this.signUps.register(dto, requestAddress(request));
      return pageContext.redirect('/users/sign_in', { notice: NOTICES[next] });
    } catch (error) {
      return this.page(pageContext, form, formErrors(error));
    }
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
      { title: 'Register', narrow: true },
      errors === undefined ? 200 : 422,
    );
  }
}
