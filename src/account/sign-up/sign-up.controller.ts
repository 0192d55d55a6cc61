import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Page } from '../../core/access/page.decorator.js';
import type { Answer } from '../../core/http/answer.js';
import { requestAddress } from '../../core/http/request-address.js';
import { atRoot } from '../../core/http/root-path.js';
import { parseInput } from '../../core/params/input.decorator.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { FormInput, given } from '../../core/ui/form-input.decorator.js';
import { formErrors, type FormProblems } from '../../core/ui/form-errors.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';
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
  show(@Shell() shell: PageShell): Answer {
    this.signUps.assertOpen();
    return shell.viewer === null ? this.page(shell, {}) : shell.redirect('/');
  }

  /** Makes the account, or shows the form again with what is wrong. */
  @Post()
  async register(
    @Shell() shell: PageShell,
    @FormInput() form: Record<string, unknown>,
    @Req() request: Request,
  ): Promise<Answer> {
    try {
      const dto = await parseInput(SignUpDto, form);
      const next = await this.signUps.register(dto, requestAddress(request));
      return shell.redirect('/users/sign_in', { notice: NOTICES[next] });
    } catch (error) {
      return this.page(shell, form, formErrors(error));
    }
  }

  private page(shell: PageShell, form: Record<string, unknown>, errors?: FormProblems): Answer {
    const page = SignUpPage({
      csrfToken: shell.csrfToken,
      errors,
      minimumLength: this.settings.values.minimum_password_length,
      name: given(form, 'name'),
      username: given(form, 'username'),
      email: given(form, 'email'),
    });
    return shell.page(page, { title: 'Register', narrow: true }, errors === undefined ? 200 : 422);
  }
}
