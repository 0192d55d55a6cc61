import { Controller, Get, Query } from '@nestjs/common';
import { Page } from '../../../core/access/page.decorator.js';
import { InvalidParamsError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/root-path.js';
import { mapPage, type Page as ListPage } from '../../../core/pagination/page.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { formErrors, type FormProblems } from '../../../core/ui/form-errors.js';
import { filledIn } from '../../../core/ui/form-input.decorator.js';
import { Context } from '../../../core/ui/context.decorator.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { UsersRepository } from '../../../identity/users/users.repository.js';
import { assertEntityFilter, ListAuditPageDto } from '../audit-event.dto.js';
import { presentAuditEvent, type AuditEventResponse } from '../audit-event.presenter.js';
import { AuditEventsRepository } from '../audit-events.repository.js';
import { AuditPage } from './audit.page.js';

const NOTHING: ListPage<AuditEventResponse> = { items: [], hasNext: false, total: 0 };

/** The audit log of everything, for administrators. */
@Controller(atRoot('admin/audit_logs'))
@Page('administrate')
export class AuditPagesController {
  constructor(
    private readonly events: AuditEventsRepository,
    private readonly users: UsersRepository,
  ) {}

  /** Lists audit events, newest first; shows errors next to invalid filters. */
  @Get()
  async list(
    @Context() pageContext: PageContext,
    @Query() query: Record<string, unknown>,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    try {
      const events = await this.find(await parseInput(ListAuditPageDto, filledIn(query)), paging);
      return answer(pageContext, { events, query, paging, errors: null });
    } catch (error) {
      return answer(pageContext, { events: NOTHING, query, paging, errors: formErrors(error) });
    }
  }

  private async find(
    { author, ...filters }: ListAuditPageDto,
    paging: Paging,
  ): Promise<ListPage<AuditEventResponse>> {
    const authorId = author
      ? await this.findAuthorId(author.replace(/^@/, ''))
      : (filters.author_id ?? null);
    assertEntityFilter(filters);
    const page = await this.events.list('everything', { ...filters, author_id: authorId }, paging);
    return mapPage(page, presentAuditEvent);
  }

  private async findAuthorId(username: string): Promise<number> {
    const id = await this.users.findIdByUsername(username);
    if (id === null) throw new InvalidParamsError(['author is not a user']);
    return id;
  }
}

interface Found {
  events: ListPage<AuditEventResponse>;
  query: Record<string, unknown>;
  paging: Paging;
  errors: FormProblems | null;
}

function answer(pageContext: PageContext, found: Found): HttpResponse {
  const crumbs = [{ label: 'Admin', href: '/admin' }];
  const info = { title: 'Audit log', nav: 'admin', crumbs } as const;
  return pageContext.render(AuditPage(found), info, found.errors === null ? 200 : 422);
}
