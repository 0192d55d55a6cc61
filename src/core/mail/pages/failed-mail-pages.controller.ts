import { Controller, Get, Post, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Page } from '../../access/access.decorator.js';
import { Auth, type AuthContext } from '../../access/auth-context.js';
import type { HttpResponse } from '../../http/http-response.js';
import { atRoot } from '../../http/paths.js';
import { Pages, type Paging } from '../../pagination/paging.decorator.js';
import { IntegerId } from '../../params/ids.js';
import { Input } from '../../params/input.decorator.js';
import { counted } from '../../ui/amounts.js';
import { refusalText } from '../../ui/forms.js';
import { Context } from '../../ui/page-contexts.service.js';
import type { PageContext } from '../../ui/page-context.js';
import { OutgoingMailsRepository, type FailedMailFilter } from '../outgoing-mails.repository.js';
import { TextParam } from '../../params/params.decorator.js';
import { AuditLog, type AuditActor } from '../../audit/audit.service.js';
import { JobQueue } from '../../durable-work/job-queue.service.js';
import { QUEUES } from '../../durable-work/queues.js';
import { ConflictError } from '../../errors.js';
import { FailedMailsPage, MAILS_PATH } from './failed-mails.page.js';

/** Retries failed emails for administrators. */
@Injectable()
export class FailedMails {
  constructor(
    private readonly mails: OutgoingMailsRepository,
    private readonly dataSource: DataSource,
    private readonly jobs: JobQueue,
    private readonly audit: AuditLog,
  ) {}

  /** Queues a failed email again. Throws NotFoundError, or ConflictError if it has not failed. */
  async retry(id: number, actor: AuditActor): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const mail = await this.mails.lock(tx, id);
      if (mail.state !== 'failed') throw new ConflictError('Only failed emails can be retried');
      await this.mails.requeue(tx, id);
      this.jobs.notifyAfterCommit(tx, QUEUES.mails);
      await this.audit.record(tx, actor, {
        action: 'mail_retried',
        targetType: 'Mail',
        targetId: id,
        targetName: mail.recipient,
        details: { kind: mail.kind, last_error: mail.lastError },
      });
    });
  }

  /** Queues all failed emails that match again; returns their number. */
  async retryAll({ kind, search }: FailedMailFilter, actor: AuditActor): Promise<number> {
    return this.dataSource.transaction(async (tx) => {
      const retried = await this.mails.requeueFailed(tx, { kind, search });
      if (retried === 0) return 0;
      this.jobs.notifyAfterCommit(tx, QUEUES.mails);
      await this.audit.record(tx, actor, {
        action: 'mails_retried',
        targetType: 'Mail',
        targetId: null,
        targetName: 'Failed mails',
        details: { kind, search, count: retried },
      });
      return retried;
    });
  }
}

/** Filter of failed emails. */
export class FailedMailsDto {
  /** Kind of the emails: `password_reset`, … */
  @TextParam()
  kind?: string | null;

  /** Part of the recipient's address. */
  @TextParam()
  search?: string | null;
}

const CHART_DAYS = 30;

/** Email queue and failed deliveries, for administrators. */
@Controller(atRoot('admin/mails'))
@Page('administrate')
export class FailedMailPagesController {
  constructor(
    private readonly outgoing: OutgoingMailsRepository,
    private readonly mails: FailedMails,
  ) {}

  /** Lists failed emails, newest first. */
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
    return pageContext.render(page, { title: 'Email delivery', nav: 'admin', crumbs });
  }

  /** Retries all emails that match the filter. */
  @Post('retry')
  async retryAll(
    @Context() pageContext: PageContext,
    @Input() input: FailedMailsDto,
    @Auth() actor: AuthContext,
  ): Promise<HttpResponse> {
    const count = await this.mails.retryAll(filterOf(input), actor);
    const notice = `Retrying ${counted(count, 'email')}.`;
    return pageContext.redirect(MAILS_PATH, { notice });
  }

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
    return pageContext.redirect(MAILS_PATH, { notice: 'Retrying the email.' });
  }
}

/** Blank fields filter nothing. */
function filterOf({ kind, search }: FailedMailsDto): FailedMailFilter {
  return { kind: kind || null, search: search?.trim() || null };
}
