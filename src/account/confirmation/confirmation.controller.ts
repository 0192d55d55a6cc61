import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Page } from '../../core/access/page.decorator.js';
import type { Answer } from '../../core/http/answer.js';
import { requestAddress } from '../../core/http/request-address.js';
import { atRoot } from '../../core/http/root-path.js';
import { FormInput, given } from '../../core/ui/form-input.decorator.js';
import { formErrors } from '../../core/ui/form-errors.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';
import { withMinimumDuration } from '../minimum-duration.js';
import { LinkRefusedError } from '../mail-links.service.js';
import { ConfirmationPage, NewConfirmationPage } from './confirmation.page.js';
import { Confirmations } from './confirmations.service.js';

const SENT =
  'If your address is registered here and waits for its confirmation, you get a mail with a link.';

/** Pages behind the links of confirmation emails, and the form to request another email. */
@Controller(atRoot('users/confirmation'))
@Page('anyone')
export class ConfirmationController {
  constructor(private readonly confirmations: Confirmations) {}

  /** Shows a confirmation button, as mail clients also follow links in emails. */
  @Get()
  async show(@Shell() shell: PageShell, @Req() request: Request): Promise<Answer> {
    const token = given(request.query, 'confirmation_token');
    const email = await this.confirmations.addressOf(token);
    if (email === null) return this.refuse(shell, new LinkRefusedError());
    const page = ConfirmationPage({ csrfToken: shell.csrfToken, token, email });
    return shell.page(page, { title: 'Confirm your address', narrow: true, noReferrer: true });
  }

  /** Confirms the address. */
  @Post('verify')
  async confirm(
    @Shell() shell: PageShell,
    @FormInput() form: Record<string, unknown>,
    @Req() request: Request,
  ): Promise<Answer> {
    try {
      const token = given(form, 'confirmation_token');
      await this.confirmations.confirm(token, requestAddress(request));
    } catch (error) {
      return this.refuse(shell, error);
    }
    const next = shell.viewer === null ? '/users/sign_in' : '/-/user_settings/emails';
    return shell.redirect(next, { notice: 'Your e-mail address is confirmed.' });
  }

  /** Shows the form to request another confirmation email. */
  @Get('new')
  ask(@Shell() shell: PageShell): Answer {
    const page = NewConfirmationPage({ csrfToken: shell.csrfToken });
    return shell.page(page, { title: 'Confirm your address', narrow: true });
  }

  /** Sends another email; the response is the same for every address. */
  @Post()
  async resend(
    @Shell() shell: PageShell,
    @FormInput() form: Record<string, unknown>,
  ): Promise<Answer> {
    await withMinimumDuration(this.confirmations.resend(given(form, 'email').trim()));
    return shell.redirect('/users/sign_in', { notice: SENT });
  }

  private refuse(shell: PageShell, error: unknown): Answer {
    const errors = formErrors(error);
    const page = NewConfirmationPage({ csrfToken: shell.csrfToken, errors });
    return shell.page(page, { title: 'Confirm your address', narrow: true }, 422);
  }
}
