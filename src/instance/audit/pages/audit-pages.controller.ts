import { Controller, Get, Injectable, Query } from '@nestjs/common';
import { Page } from '../../../core/access/access.decorator.js';
import { InvalidParamsError } from '../../../core/errors.js';
import { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { mapPage, type Page as ListPage } from '../../../core/pagination/page.js';
import { Pages, type Paging } from '../../../core/pagination/paging.decorator.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { filledIn, formErrors } from '../../../core/ui/forms.js';
import type { PageContext, PageInfo } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { UsersRepository } from '../../../identity/users/users.repository.js';
import {
  ContainerPage,
  CurrentContainer,
  ofContainer,
  type PageContainer,
} from '../../../workspace/projects/pages/container-page.guard.js';
import {
  assertEntityFilter,
  ListAuditPageDto,
  type ListAllAuditEventsDto,
} from '../audit-event.dto.js';
import { presentAuditEvent, type AuditEventResponse } from '../audit-event.presenter.js';
import { AuditEventsRepository, type AuditScope } from '../audit-events.repository.js';
import { ADMIN_AUDIT_PATH, AuditPage } from './audit.page.js';

const NOTHING: ListPage<AuditEventResponse> = { items: [], hasNext: false, total: 0 };

/** Newest events in a file. */
const MAX_EXPORTED = 10_000;

type Filters = Record<string, unknown>;

interface ShownLog {
  container: PageContainer | null;
  path: string;
  info: PageInfo;
}

/** Renders the audit log of the instance, a project or a group. */
@Injectable()
export class AuditPages {
  constructor(
    private readonly events: AuditEventsRepository,
    private readonly users: UsersRepository,
  ) {}

  /** Lists audit events, newest first; shows errors next to invalid filters. */
  async list(
    pageContext: PageContext,
    { container, path, info }: ShownLog,
    { query, paging }: { query: Filters; paging: Paging },
  ): Promise<HttpResponse> {
    const shown = {
      path,
      container: container === null ? null : container.source,
      isExported: pageContext.viewer?.admin === true,
      ...{ query, paging },
    };
    try {
      const { scope, filters } = await this.read(query, container);
      const page = await this.events.list(scope, filters, paging);
      const events = mapPage(page, presentAuditEvent);
      return pageContext.render(AuditPage({ ...shown, events, errors: null }), info);
    } catch (error) {
      const errors = formErrors(error);
      return pageContext.render(AuditPage({ ...shown, events: NOTHING, errors }), info, 422);
    }
  }

  /** Returns the newest events of the filtered log of the instance as CSV. */
  async export(query: Filters): Promise<HttpResponse> {
    const { scope, filters } = await this.read(query, null);
    const rows = await this.events.listBefore(scope, filters, {
      before: null,
      limit: MAX_EXPORTED,
    });
    return new HttpResponse(200, auditCsv(rows.map(presentAuditEvent)), {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="audit-log.csv"',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
  }

  private async read(
    query: Filters,
    container: PageContainer | null,
  ): Promise<{ scope: AuditScope; filters: ListAllAuditEventsDto }> {
    const { author, ...dto } = await parseInput(ListAuditPageDto, filledIn(query));
    const authorId = author
      ? await this.findAuthorId(author.replace(/^@/, ''))
      : (dto.author_id ?? null);
    const filters = { ...dto, author_id: authorId };
    if (container !== null) {
      const type = container.kind === 'group' ? 'Group' : 'Project';
      return { scope: { type, id: container.source.id }, filters };
    }
    assertEntityFilter(filters);
    return { scope: 'everything', filters };
  }

  private async findAuthorId(username: string): Promise<number> {
    const id = await this.users.findIdByUsername(username);
    if (id === null) throw new InvalidParamsError(['author is not a user']);
    return id;
  }
}

/** The audit log of everything, for administrators. */
@Controller(atRoot('admin/audit_logs'))
@Page('administrate')
export class AuditPagesController {
  constructor(private readonly pages: AuditPages) {}

  /** Lists audit events, newest first. */
  @Get()
  list(
    @Context() pageContext: PageContext,
    @Query() query: Filters,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const crumbs = [{ label: 'Admin', href: '/admin' }];
    const info = { title: 'Audit log', nav: 'admin', crumbs } as const;
    const shown = { container: null, path: ADMIN_AUDIT_PATH, info };
    return this.pages.list(pageContext, shown, { query, paging });
  }

  /** Downloads the filtered audit log. */
  @Get('export')
  export(@Query() query: Filters): Promise<HttpResponse> {
    return this.pages.export(query);
  }
}

/** The audit log of a project for its maintainers, of a group for its owners. */
@Controller(ofContainer('audit_events'))
export class ContainerAuditPagesController {
  constructor(private readonly pages: AuditPages) {}

  /** Lists the audit events of the project or group, newest first. */
  @Get()
  @ContainerPage({ project: 'admin_project', group: 'admin_group' }, 'signed_in')
  list(
    @Context() pageContext: PageContext,
    @CurrentContainer() container: PageContainer,
    @Query() query: Filters,
    @Pages() paging: Paging,
  ): Promise<HttpResponse> {
    const shown = {
      container,
      path: `${container.path}/-/audit_events`,
      info: container.info('Audit log'),
    };
    return this.pages.list(pageContext, shown, { query, paging });
  }
}

const CSV_COLUMNS: readonly [name: string, value: (event: AuditEventResponse) => unknown][] = [
  ['id', ({ id }) => id],
  ['time', ({ created_at: time }) => time],
  ['actor_id', ({ author_id: id }) => id],
  ['actor', ({ details }) => details.author_name],
  ['impersonator', ({ details }) => details.impersonator_name],
  ['event', ({ event_name: name }) => name],
  ['target_type', ({ details }) => details.target_type],
  ['target_id', ({ details }) => details.target_id],
  ['target', ({ details }) => details.target_details],
  ['scope', ({ entity_type: type }) => type],
  ['scope_id', ({ entity_id: id }) => id],
  ['scope_path', ({ details }) => details.entity_path],
  ['ip_address', ({ details }) => details.ip_address],
  ['changes', ({ details }) => JSON.stringify(details.changes)],
  ['facts', ({ details }) => JSON.stringify(details.facts)],
];

/** Returns audit events as CSV (RFC 4180) with a header. */
function auditCsv(events: readonly AuditEventResponse[]): string {
  const lines = events.map((event) => CSV_COLUMNS.map(([, value]) => cell(value(event))));
  return [CSV_COLUMNS.map(([name]) => name), ...lines]
    .map((line) => `${line.join(',')}\r\n`)
    .join('');
}

/** Text that spreadsheets would run as a formula gets an apostrophe in front (OWASP, CSV injection). */
function cell(value: unknown): string {
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : '';
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
