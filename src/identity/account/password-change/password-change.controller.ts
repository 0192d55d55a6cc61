import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { BrowserSessions } from '../../auth/sessions/browser-sessions.service.js';
import { Page } from '../../../core/access/page.decorator.js';
import { Auth } from '../../../core/access/viewer.decorator.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { InstanceSettings } from '../../../core/settings/instance-settings.service.js';
import { formErrors, type FormProblems } from '../../../core/ui/form-errors.js';
import { FormInput } from '../../../core/ui/form-input.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import type { SignedInContext } from '../signed-in.js';
import { PasswordChangeDto } from '../account.dto.js';
import { PasswordChangePage } from './password-change.page.js';
import { PasswordChanges } from './password-changes.service.js';

/** The page of one's own password. */
@Controller(atRoot('-/user_settings/password'))
@Page('signed_in')
export class PasswordChangeController {
  constructor(
    private readonly changes: PasswordChanges,
    private readonly browsers: BrowserSessions,
    private readonly settings: InstanceSettings,
  ) {}

  /** Shows the form. */
  @Get('edit')
  edit(@Context() pageContext: PageContext): HttpResponse {
    return this.form(pageContext);
  }

  /** Changes the password and goes on in a new session, or shows the form again. */
  @Post()
  async change(
    @Context() pageContext: PageContext,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: SignedInContext,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HttpResponse> {
    try {
      const dto = await parseInput(PasswordChangeDto, form);
      const next = await this.changes.change(dto, auth, request.get('User-Agent') ?? '');
      this.browsers.enter(response, next.value, next.remembered);
    } catch (error) {
      return this.form(pageContext, formErrors(error));
    }
    const notice = 'Your password was changed. All other sessions have ended.';
    return pageContext.redirect('/-/user_settings/password/edit', { notice });
  }

  private form(pageContext: PageContext, errors?: FormProblems): HttpResponse {
    const page = PasswordChangePage({
      username: pageContext.viewer?.username ?? '',
      minimumLength: this.settings.values.minimum_password_length,
      csrfToken: pageContext.csrfToken,
      ...(errors && { errors }),
    });
    return pageContext.render(page, { title: 'Password', nav: 'account' }, errors ? 422 : 200);
  }
}
