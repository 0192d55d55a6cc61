import { Controller, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { BrowserSessions } from '../../auth/sessions/browser-sessions.service.js';
import { SessionsRepository } from '../../auth/sessions/sessions.repository.js';
import { Page } from '../../../core/access/page.decorator.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';

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
    @Context() pageContext: PageContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HttpResponse> {
    const { session, viewer } = pageContext;
    if (session !== null && viewer !== null)
      await this.sessions.delete({ id: session.id, userId: viewer.id });
    this.browsers.leave(response);
    return pageContext.redirect('/users/sign_in');
  }
}
