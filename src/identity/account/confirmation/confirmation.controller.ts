import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Page } from '../../../core/access/page.decorator.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { requestAddress } from '../../../core/http/request-address.js';
import { atRoot } from '../../../core/http/root-path.js';
import { FormInput, given } from '../../../core/ui/form-input.decorator.js';
import { formErrors } from '../../../core/ui/form-errors.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
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
  async show(@Context() pageContext: PageContext, @Req() request: Request): Promise<HttpResponse> {
    const token = given(request.query, 'confirmation_token');
    const email = await this.confirmations.addressOf(token);
    if (email === null) return this.refuse(pageContext, new LinkRefusedError());
    const page = ConfirmationPage({ csrfToken: pageContext.csrfToken, token, email });
    return pageContext.render(page, {
      title: 'Confirm your address',
      narrow: true,
      noReferrer: true,
    });
  }

  /** Confirms the address. */
  @Post('verify')
  async confirm(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @Req() request: Request,
  ): Promise<HttpResponse> {
    try {
      const token = given(form, 'confirmation_token');
      await this.confirmations.confirm(token, requestAddress(request));
    } catch (error) {
      return this.refuse(pageContext, error);
    }
    const next = pageContext.viewer === null ? '/users/sign_in' : '/-/user_settings/emails';
    return pageContext.redirect(next, { notice: 'Your e-mail address is confirmed.' });
  }

  /** Shows the form to request another confirmation email. */
  @Get('new')
  ask(@Context() pageContext: PageContext): HttpResponse {
    const page = NewConfirmationPage({ csrfToken: pageContext.csrfToken });
    return pageContext.render(page, { title: 'Confirm your address', narrow: true });
  }

  /** Sends another email; the response is the same for every address. */
  @Post()
  async resend(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    await withMinimumDuration(this.confirmations.resend(given(form, 'email').trim()));
    return pageContext.redirect('/users/sign_in', { notice: SENT });
  }

  private refuse(pageContext: PageContext, error: unknown): HttpResponse {
    const errors = formErrors(error);
    const page = NewConfirmationPage({ csrfToken: pageContext.csrfToken, errors });
    return pageContext.render(page, { title: 'Confirm your address', narrow: true }, 422);
  }
}
