import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { DataSource, type EntityManager } from 'typeorm';
import { Page } from '../../../core/access/access.decorator.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { requestAddress } from '../../../core/http/request-address.js';
import { ReadsPrimary } from '../../../core/sql/replica/request-reads.js';
import { formErrors, FormInput, given } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { User, UserEmail } from '../../users/user.entity.js';
import { LinkRefusedError, withMinimumDuration, MailLinks } from '../mail-links.service.js';
import { ConfirmationPage, NewConfirmationPage } from './emails.page.js';
import { AccountsRepository } from '../../auth/accounts.repository.js';
import { AuditLog } from '../../../core/audit/audit.service.js';
import { Clock } from '../../../core/clock.js';
import { translateConflict } from '../../users/user-rules.js';
import { AccountEmails } from '../account-emails.service.js';

const SENT = "If that address is waiting for confirmation, we've emailed a new link.";

/** Pages behind the links of confirmation emails, and the form to request another email. */
@ReadsPrimary()
@Controller(atRoot('users/confirmation'))
@Page('anyone')
export class ConfirmationController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly accounts: AccountsRepository,
    private readonly links: MailLinks,
    private readonly accountEmails: AccountEmails,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** Shows a confirmation button, as mail clients also follow links in emails. */
  @Get()
  async show(@Context() pageContext: PageContext, @Req() request: Request): Promise<HttpResponse> {
    const token = given(request.query, 'confirmation_token');
    const link = await this.links.look(this.dataSource.manager, token, 'confirm_email');
    if (link === null) return this.refuse(pageContext, new LinkRefusedError());
    const { email } = link;
    const page = ConfirmationPage({ csrfToken: pageContext.csrfToken, token, email });
    return pageContext.render(page, {
      title: 'Confirm your email',
      narrow: true,
      noReferrer: true,
    });
  }

  @Post('verify')
  async confirm(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @Req() request: Request,
  ): Promise<HttpResponse> {
    try {
      const token = given(form, 'confirmation_token');
      await this.dataSource.transaction((tx) =>
        this.consumeLink(tx, token, requestAddress(request)),
      );
    } catch (error) {
      return this.refuse(pageContext, translateConflict(error));
    }
    const next = pageContext.viewer === null ? '/users/sign_in' : '/-/user_settings/emails';
    return pageContext.redirect(next, { notice: 'Your email is confirmed.' });
  }

  /** Shows the form to request another confirmation email. */
  @Get('new')
  ask(@Context() pageContext: PageContext): HttpResponse {
    const page = NewConfirmationPage({ csrfToken: pageContext.csrfToken });
    return pageContext.render(page, { title: 'Confirm your email', narrow: true });
  }

  /** Sends another email; the response is the same for every address. */
  @Post()
  async resend(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    await withMinimumDuration(this.sendAgain(given(form, 'email').trim()));
    return pageContext.redirect('/users/sign_in', { notice: SENT });
  }

  /** Sends another link to an unconfirmed primary email; does nothing for other addresses. */
  private async sendAgain(email: string): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const user = await this.accounts.findUnconfirmed(tx, email);
      if (user !== null) await this.accountEmails.sendConfirmation(tx, user, user.email);
    });
  }

  /**
   * Confirms the address to which the link was sent, and no other: an address that was changed
   * meanwhile stays unconfirmed. Throws LinkRefusedError; 409 when someone else has confirmed it.
   */
  private async consumeLink(tx: EntityManager, token: string, ip: string | null): Promise<void> {
    const link = await this.links.consume(tx, token, 'confirm_email');
    if (link === null) throw new LinkRefusedError();
    const { userId: id, email } = link;
    const user = await tx.findOne(User, { where: { id }, lock: { mode: 'pessimistic_write' } });
    const confirmedAt = this.clock.now();
    const isPrimary = user?.email === email;
    const { affected } = isPrimary
      ? await tx.update(User, { id }, { confirmedAt: user.confirmedAt ?? confirmedAt })
      : await tx.update(UserEmail, { userId: id, email }, { confirmedAt, updatedAt: confirmedAt });
    if (affected !== 1) throw new LinkRefusedError();
    await this.audit.record(
      tx,
      { viewer: { id }, impersonator: null, ip },
      { action: 'user_email_confirmed', targetType: 'User', targetId: id, details: { email } },
    );
  }

  private refuse(pageContext: PageContext, error: unknown): HttpResponse {
    const errors = formErrors(error);
    const page = NewConfirmationPage({ csrfToken: pageContext.csrfToken, errors });
    return pageContext.render(page, { title: 'Confirm your email', narrow: true }, 422);
  }
}
