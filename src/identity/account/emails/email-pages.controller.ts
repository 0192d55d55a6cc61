import { Controller, Get, Post } from '@nestjs/common';
import { Page } from '../../../core/access/access.decorator.js';
import { Auth, type SignedInContext } from '../../../core/access/auth-context.js';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { IntegerId } from '../../../core/params/ids.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { RateLimit } from '../../../core/rate-limits/named-limits.js';
import { ReadsPrimary } from '../../../core/sql/replica/request-reads.js';
import { formErrors, FormInput, given, type FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { UsersRepository } from '../../users/users.repository.js';
import { AddEmailDto } from '../account.dto.js';
import { UserEmailsService } from './user-emails.service.js';
import { EMAILS_PATH, EmailsPage } from './emails.page.js';
import { UserEmailsRepository } from '../user-emails.repository.js';

const SENT = "We've emailed you a confirmation link.";

/** The page of one's own email addresses. */
@ReadsPrimary()
@Controller(atRoot('-/user_settings/emails'))
@Page('signed_in')
export class EmailPagesController {
  constructor(
    private readonly users: UsersRepository,
    private readonly repository: UserEmailsRepository,
    private readonly emails: UserEmailsService,
  ) {}

  /** Shows all addresses and a form for another. */
  @Get()
  list(@Context() pageContext: PageContext, @Auth() auth: SignedInContext): Promise<HttpResponse> {
    return this.page(pageContext, auth);
  }

  @Post()
  @RateLimit('create')
  async add(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: SignedInContext,
  ): Promise<HttpResponse> {
    try {
      const { email } = await parseInput(AddEmailDto, form);
      await this.emails.add(email, auth);
    } catch (error) {
      return this.page(pageContext, auth, {
        errors: formErrors(error),
        given: given(form, 'email'),
      });
    }
    return pageContext.redirect(EMAILS_PATH, { notice: SENT });
  }

  /** Sends the link for the primary email again. */
  @Post('confirm')
  confirmPrimary(
    @Context() pageContext: PageContext,
    @Auth() auth: SignedInContext,
  ): Promise<HttpResponse> {
    return this.act(pageContext, SENT, () => this.emails.sendAgain(null, auth));
  }

  /** Sends the link for a secondary email again. */
  @Post(':id/confirm')
  confirm(
    @IntegerId('id') id: number,
    @Context() pageContext: PageContext,
    @Auth() auth: SignedInContext,
  ): Promise<HttpResponse> {
    return this.act(pageContext, SENT, () => this.emails.sendAgain(id, auth));
  }

  /** Sets a secondary email as the primary one; requires the password. */
  @Post(':id/primary')
  makePrimary(
    @IntegerId('id') id: number,
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: SignedInContext,
  ): Promise<HttpResponse> {
    const password = given(form, 'current_password');
    const notice = 'Primary email changed.';
    return this.act(pageContext, notice, () => this.emails.makePrimary(id, password, auth));
  }

  @Post(':id/delete')
  remove(
    @IntegerId('id') id: number,
    @Context() pageContext: PageContext,
    @Auth() auth: SignedInContext,
  ): Promise<HttpResponse> {
    return this.act(pageContext, 'Email removed.', () => this.emails.remove(id, auth));
  }

  /** Runs the action of a list button, and shows its result there. */
  private async act(
    pageContext: PageContext,
    notice: string,
    action: () => Promise<void>,
  ): Promise<HttpResponse> {
    try {
      await action();
    } catch (error) {
      const { fields, general } = formErrors(error);
      const alert = [...general, ...Object.values(fields).flat()].join(' ');
      return pageContext.redirect(EMAILS_PATH, { alert });
    }
    return pageContext.redirect(EMAILS_PATH, { notice });
  }

  private async page(
    pageContext: PageContext,
    { viewer }: SignedInContext,
    problem?: { errors: FormProblems; given: string },
  ): Promise<HttpResponse> {
    const user = await this.users.findDetails(viewer.id);
    if (user === null) throw new NotFoundError('User');
    const page = EmailsPage({
      primary: { email: user.email, isConfirmed: user.confirmedAt !== null },
      emails: await this.repository.list(viewer.id),
      csrfToken: pageContext.csrfToken,
      ...problem,
    });
    const status = problem === undefined ? 200 : 422;
    return pageContext.render(page, { title: 'Emails', nav: 'account' }, status);
  }
}
