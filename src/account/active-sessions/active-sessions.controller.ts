import { Controller, Get, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Page } from '../../core/access/page.decorator.js';
import { Auth } from '../../core/access/viewer.decorator.js';
import type { Answer } from '../../core/http/answer.js';
import { atRoot } from '../../core/http/root-path.js';
import { IntegerId } from '../../core/params/ids.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';
import { BrowserSessions } from '../../auth/sessions/browser-sessions.service.js';
import { Sessions } from '../../auth/sessions/sessions.service.js';
import { ActiveSessionsPage, SESSIONS_PATH } from './active-sessions.page.js';
import type { SignedInContext } from '../signed-in.js';
import { ActiveSessions } from './active-sessions.service.js';

/** The page of one's own sessions. */
@Controller(atRoot('-/user_settings/active_sessions'))
@Page('signed_in')
export class ActiveSessionsController {
  constructor(
    private readonly sessions: Sessions,
    private readonly activeSessions: ActiveSessions,
    private readonly browsers: BrowserSessions,
  ) {}

  /** Shows where the user is signed in. */
  @Get()
  async list(@Shell() shell: PageShell, @Auth() auth: SignedInContext): Promise<Answer> {
    const page = ActiveSessionsPage({
      sessions: await this.sessions.list(auth.viewer.id),
      currentId: auth.session?.id ?? null,
      csrfToken: shell.csrfToken,
    });
    return shell.page(page, { title: 'Sessions', nav: 'account' });
  }

  /** Ends all sessions except the current one. */
  @Post('revoke_others')
  async revokeOthers(@Shell() shell: PageShell, @Auth() auth: SignedInContext): Promise<Answer> {
    const count = await this.activeSessions.endOthers(auth);
    const notice = count === 1 ? 'One session was ended.' : `${count} sessions were ended.`;
    return shell.redirect(SESSIONS_PATH, { notice });
  }

  /** Ends a session; ending the current one signs the user out. */
  @Post(':id/revoke')
  async revoke(
    @IntegerId('id') id: number,
    @Shell() shell: PageShell,
    @Auth() auth: SignedInContext,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Answer> {
    await this.activeSessions.end(id, auth);
    if (id !== auth.session?.id) {
      return shell.redirect(SESSIONS_PATH, { notice: 'The session was ended.' });
    }
    this.browsers.leave(response);
    return shell.redirect('/users/sign_in');
  }
}
