import { Controller, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { BrowserSessions } from '../../auth/sessions/browser-sessions.service.js';
import { SessionsRepository } from '../../auth/sessions/sessions.repository.js';
import { Page } from '../../core/access/page.decorator.js';
import type { Answer } from '../../core/http/answer.js';
import { atRoot } from '../../core/http/root-path.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';

/** Leaving. */
@Controller(atRoot('users/sign_out'))
@Page('anyone')
export class SignOutController {
  constructor(
    private readonly sessions: SessionsRepository,
    private readonly browsers: BrowserSessions,
  ) {}

  /** Ends the session of this browser immediately, in every process. */
  @Post()
  async leave(
    @Shell() shell: PageShell,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Answer> {
    const { session, viewer } = shell;
    if (session !== null && viewer !== null)
      await this.sessions.delete({ id: session.id, userId: viewer.id });
    this.browsers.leave(response);
    return shell.redirect('/users/sign_in');
  }
}
