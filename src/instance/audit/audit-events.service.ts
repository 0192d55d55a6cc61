import { Injectable } from '@nestjs/common';
import { cursorAfter, readIdCursor } from '../../core/pagination/cursor.js';
import { wantsKeyset } from '../../core/pagination/keyset.js';
import { mapPage } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { assertEntityFilter, type ListAllAuditEventsDto } from './audit-event.dto.js';
import { presentAuditEvent, type AuditEventResponse } from './audit-event.presenter.js';
import { AuditEventsRepository, type AuditScope } from './audit-events.repository.js';

/** Lists and shows audit events over the API; the caller has checked that the viewer can read them. */
@Injectable()
export class AuditEventsService {
  constructor(private readonly events: AuditEventsRepository) {}

  /** Returns one page, by number or keyset, and writes its headers. Throws 405 for another order. */
  async list(
    scope: AuditScope,
    filters: ListAllAuditEventsDto,
    paging: Paging,
  ): Promise<AuditEventResponse[]> {
    if (scope === 'everything') assertEntityFilter(filters);
    const isKeyset = wantsKeyset(filters, { orderBy: 'id', sorts: ['desc'], isOffered: true });
    if (!isKeyset) {
      const page = await this.events.list(scope, filters, paging);
      return paging.write(mapPage(page, presentAuditEvent));
    }
    const rows = await this.events.listBefore(scope, filters, {
      before: readIdCursor(filters.cursor),
      limit: paging.perPage,
    });
    return paging.writeKeyset(rows.map(presentAuditEvent), cursorAfter(rows, ['id']));
  }

  /** Throws NotFoundError, also for an event of another scope. */
  async get(scope: AuditScope, id: number): Promise<AuditEventResponse> {
    return presentAuditEvent(await this.events.findInScope(scope, id));
  }
}
