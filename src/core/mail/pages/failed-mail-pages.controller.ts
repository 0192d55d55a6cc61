import { Controller, Get, Post } from '@nestjs/common';
import type { AuthContext } from '../../access/auth-context.js';
import { Page } from '../../access/page.decorator.js';
import { Auth } from '../../access/viewer.decorator.js';
import type { HttpResponse } from '../../http/http-response.js';
import { atRoot } from '../../http/root-path.js';
import { Pages, type Paging } from '../../pagination/paging.decorator.js';
import { IntegerId } from '../../params/ids.js';
import { Input } from '../../params/input.decorator.js';
import { counted } from '../../ui/amounts.js';
import { refusalText } from '../../ui/refusal-text.js';
import { Context } from '../../ui/context.decorator.js';
import type { PageContext } from '../../ui/page-context.js';
import { FailedMailsDto } from '../dto/failed-mails.dto.js';
import { FailedMails } from '../failed-mails.service.js';
import { OutgoingMailsRepository, type FailedMailFilter } from '../outgoing-mails.repository.js';
import { FailedMailsPage, MAILS_PATH } from './failed-mails.page.js';

const CHART_DAYS = 30;

/** The administrators' page about mails: how it is with them, and those that were not sent. */
@Controller(atRoot('admin/mails'))
@Page('administrate')
export class FailedMailPagesController {
  constructor(
    private readonly outgoing: OutgoingMailsRepository,
    private readonly mails: FailedMails,
  ) {}

  /** Lists the mails that were given up, the newest first. */
  @Get()
  async list(
    @Context() pageContext: PageContext,
    @Input() input: FailedMailsDto,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const filter = filterOf(input);
    const [mails, kinds, counts, days] = await Promise.all([
      this.outgoing.listFailed(filter, paging),
      this.outgoing.failedKinds(),
      this.outgoing.countByState(),
      this.outgoing.countByDay(CHART_DAYS),
    ]);
    const { csrfToken } = pageContext;
    const page = FailedMailsPage({ csrfToken, mails, kinds, filter, counts, days, paging });
    const crumbs = [{ label: 'Admin', href: '/admin' }];
    return pageContext.render(page, { title: 'Mails', nav: 'admin', crumbs });
  }

  /** Queues all again that the filter shows. */
  @Post('retry')
  async retryAll(
    @Context() pageContext: PageContext,
    @Input() input: FailedMailsDto,
    @Auth() actor: AuthContext,
  ): Promise<HttpResponse> {
    const count = await this.mails.retryAll(filterOf(input), actor);
    const notice = `${counted(count, 'mail')} ${count === 1 ? 'is' : 'are'} being sent again.`;
    return pageContext.redirect(MAILS_PATH, { notice });
  }

  /** Queues one of them again. */
  @Post(':id/retry')
  async retry(
    @Context() pageContext: PageContext,
    @IntegerId('id') id: number,
    @Auth() actor: AuthContext,
  ): Promise<HttpResponse> {
    try {
      await this.mails.retry(id, actor);
    } catch (error) {
      return pageContext.redirect(MAILS_PATH, { alert: refusalText(error) });
    }
    return pageContext.redirect(MAILS_PATH, { notice: 'The mail is being sent again.' });
  }
}

/** Fields that were left empty filter nothing. */
function filterOf({ kind, search }: FailedMailsDto): FailedMailFilter {
  return { kind: kind || null, search: search?.trim() || null };
}
