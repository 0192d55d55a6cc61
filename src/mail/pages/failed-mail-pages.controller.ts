import { Controller, Get, Post } from '@nestjs/common';
import type { AuthContext } from '../../core/access/auth-context.js';
import { Page } from '../../core/access/page.decorator.js';
import { Auth } from '../../core/access/viewer.decorator.js';
import type { Answer } from '../../core/http/answer.js';
import { atRoot } from '../../core/http/root-path.js';
import { Pages, type Paging } from '../../core/pagination/paging.decorator.js';
import { IntegerId } from '../../core/params/ids.js';
import { refusalText } from '../../core/ui/refusal-text.js';
import { Shell } from '../../core/ui/shell.decorator.js';
import type { PageShell } from '../../core/ui/shell.js';
import { FailedMails } from '../failed-mails.service.js';
import { FailedMailsPage, MAILS_PATH } from './failed-mails.page.js';

/** The administrators' page about mails that were not sent. */
@Controller(atRoot('admin/mails'))
@Page('administrate')
export class FailedMailPagesController {
  constructor(private readonly mails: FailedMails) {}

  /** Lists the mails that were given up, the newest first. */
  @Get()
  async list(@Shell() shell: PageShell, @Pages() paging: Paging): Promise<Answer> {
    const mails = await this.mails.list(paging);
    const page = FailedMailsPage({ csrfToken: shell.csrfToken, mails, paging });
    const crumbs = [{ label: 'Admin', href: '/admin' }];
    return shell.page(page, { title: 'Failed mails', nav: 'admin', crumbs });
  }

  /** Queues one of them again. */
  @Post(':id/retry')
  async retry(
    @Shell() shell: PageShell,
    @IntegerId('id') id: number,
    @Auth() actor: AuthContext,
  ): Promise<Answer> {
    try {
      await this.mails.retry(id, actor);
    } catch (error) {
      return shell.redirect(MAILS_PATH, { alert: refusalText(error) });
    }
    return shell.redirect(MAILS_PATH, { notice: 'The mail is being sent again.' });
  }
}
