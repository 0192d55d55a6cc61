import { Controller, Get, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Page } from '../../../core/access/page.decorator.js';
import { Auth } from '../../../core/access/viewer.decorator.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { IntegerId } from '../../../core/params/ids.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { BrowserSessions } from '../../auth/sessions/browser-sessions.service.js';
import { Sessions } from '../../auth/sessions/sessions.service.js';
import { ActiveSessionsPage, SESSIONS_PATH } from './active-sessions.page.js';
import type { SignedInContext } from '../../../core/access/auth-context.js';
import { ReadsPrimary } from '../../../core/sql/replica/reads-primary.decorator.js';

/** The page of one's own sessions. */
@ReadsPrimary()
@Controller(atRoot('-/user_settings/active_sessions'))
@Page('signed_in')
export class ActiveSessionsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly browsers: BrowserSessions,
  ) {}

  /** Shows where the user is signed in. */
  @Get()
  async list(
    @Context() pageContext: PageContext,
    @Auth() auth: SignedInContext,
  ): Promise<HttpResponse> {
    const page = ActiveSessionsPage({
      sessions: await this.sessions.list(auth.viewer.id),
      currentId: auth.session?.id ?? null,
      csrfToken: pageContext.csrfToken,
    });
    return pageContext.render(page, { title: 'Sessions', nav: 'account' });
  }

  /** Ends all sessions except the current one. */
  @Post('revoke_others')
  async revokeOthers(
    @Context() pageContext: PageContext,
    @Auth() auth: SignedInContext,
  ): Promise<HttpResponse> {
    const count = await this.sessions.endOthers(auth);
    const notice = count === 1 ? 'Signed out 1 session.' : `Signed out ${count} sessions.`;
    return pageContext.redirect(SESSIONS_PATH, { notice });
  }

  /** Ends a session; ending the current one signs the user out. */
  @Post(':id/revoke')
  async revoke(
    @IntegerId('id') id: number,
    @Context() pageContext: PageContext,
    @Auth() auth: SignedInContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<HttpResponse> {
    await this.sessions.end(id, auth);
    if (id !== auth.session?.id) {
      return pageContext.redirect(SESSIONS_PATH, { notice: 'Signed out the session.' });
    }
    this.browsers.leave(response);
    return pageContext.redirect('/users/sign_in');
  }
}
