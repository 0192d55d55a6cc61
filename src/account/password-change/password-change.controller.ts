import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { BrowserSessions } from '../../auth/sessions/browser-sessions.service.js';
import { Page } from '../../core/access/page.decorator.js';
import { Auth } from '../../core/access/viewer.decorator.js';
import type { Answer } from '../../core/http/answer.js';
import { atRoot } from '../../core/http/root-path.js';
import { parseInput } from '../../core/params/input.decorator.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { formErrors, type FormProblems } from '../../core/ui/form-errors.js';
import { FormInput } from '../../core/ui/form-input.decorator.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';
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
  edit(@Shell() shell: PageShell): Answer {
    return this.form(shell);
  }

  /** Changes the password and goes on in a new session, or shows the form again. */
  @Post()
  async change(
    @Shell() shell: PageShell,
    @FormInput() form: Record<string, unknown>,
    @Auth() auth: SignedInContext,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Answer> {
    try {
      const dto = await parseInput(PasswordChangeDto, form);
      const next = await this.changes.change(dto, auth, request.get('User-Agent') ?? '');
      this.browsers.enter(response, next.value, next.remembered);
    } catch (error) {
      return this.form(shell, formErrors(error));
    }
    const notice = 'Your password was changed. All other sessions have ended.';
    return shell.redirect('/-/user_settings/password/edit', { notice });
  }

  private form(shell: PageShell, errors?: FormProblems): Answer {
    const page = PasswordChangePage({
      username: shell.viewer?.username ?? '',
      minimumLength: this.settings.values.minimum_password_length,
      csrfToken: shell.csrfToken,
      ...(errors && { errors }),
    });
    return shell.page(page, { title: 'Password', nav: 'account' }, errors ? 422 : 200);
  }
}
