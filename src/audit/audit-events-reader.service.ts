import { Injectable } from '@nestjs/common';
import type { AuditedEntity } from '../core/audit/audit.service.js';
import { InvalidParamsError, NotFoundError } from '../core/errors.js';
import { cursorAfter, readIdCursor } from '../core/pagination/cursor.js';
import { wantsKeyset } from '../core/pagination/keyset.js';
import { mapPage, type Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { Conditions } from '../core/sql/conditions.js';
import { Sql } from '../core/sql/sql.service.js';
import { AUDIT_EVENT_COLUMNS, type AuditEventRow } from './audit-event-row.js';
import { presentAuditEvent, type PresentedAuditEvent } from './audit-event.presenter.js';
import type { ListAllAuditEventsDto } from './dto/list-audit-events.dto.js';

/** Everything, or one group's or project's own trail without those of what is in it. */
export type Trail = 'everything' | (AuditedEntity & { id: number });

const FROM = 'audit_events e';

/** Reads the audit trail, newest first. The caller has checked that the asker may. */
@Injectable()
export class AuditEventsReader {
  constructor(private readonly sql: Sql) {}

  /** One page by number or by keyset, its headers written. Throws 400, 405 for another order. */
  async list(
    trail: Trail,
    filters: ListAllAuditEventsDto,
    paging: Paging,
  ): Promise<PresentedAuditEvent[]> {
    const where = conditionsOf(trail, filters);
    const isKeyset = wantsKeyset(filters, { orderBy: 'id', sorts: ['desc'], isOffered: true });
    if (isKeyset) return this.listAfter(where, filters, paging);
    return paging.write(await this.page(trail, filters, paging));
  }

  /** One page by number. Throws 400 for an `entity_id` without `entity_type`. */
  async page(
    trail: Trail,
    filters: ListAllAuditEventsDto,
    paging: Paging,
  ): Promise<Page<PresentedAuditEvent>> {
    const where = conditionsOf(trail, filters);
    const direction = filters.sort === 'asc' ? 'ASC' : 'DESC';
    const page = await this.sql.page<AuditEventRow>(
      {
        key: 'e.id',
        select: AUDIT_EVENT_COLUMNS,
        from: FROM,
        where: String(where),
        orderBy: `e.id ${direction}`,
        values: where.values,
      },
      paging,
    );
    return mapPage(page, presentAuditEvent);
  }

  /** One entry of the trail. Throws 404, also for an entry of another trail. */
  async get(trail: Trail, id: number): Promise<PresentedAuditEvent> {
    const where = conditionsOf(trail, {});
    where.and(`e.id = ${where.value(id)}`);
    const row = await this.sql.row<AuditEventRow>(
      `SELECT ${AUDIT_EVENT_COLUMNS} FROM ${FROM} WHERE ${String(where)}`,
      where.values,
    );
    if (row === null) throw new NotFoundError('Audit Event');
    return presentAuditEvent(row);
  }

  private async listAfter(
    where: Conditions,
    { cursor }: ListAllAuditEventsDto,
    paging: Paging,
  ): Promise<PresentedAuditEvent[]> {
    const before = readIdCursor(cursor);
    if (before !== null) where.and(`e.id < ${where.value(before)}`);
    const rows = await this.sql.rows<AuditEventRow>(
      `SELECT ${AUDIT_EVENT_COLUMNS} FROM ${FROM} WHERE ${String(where)}
       ORDER BY e.id DESC LIMIT ${where.value(paging.perPage)}`,
      where.values,
    );
    return paging.writeKeyset(rows.map(presentAuditEvent), cursorAfter(rows, ['id']));
  }
}

function conditionsOf(trail: Trail, filters: ListAllAuditEventsDto): Conditions {
  const where = new Conditions();
  const entity = trail === 'everything' ? chosenEntity(filters) : trail;
  if (entity.type !== null) where.and(`e.entity_type = ${where.value(entity.type)}`);
  if (entity.id !== null) where.and(`e.entity_id = ${where.value(entity.id)}`);
  const { created_after: after, created_before: before, author_id: authorId } = filters;
  if (after) where.and(`e.created_at >= ${where.value(after)}`);
  if (before) where.and(`e.created_at <= ${where.value(before)}`);
  if (authorId != null) where.and(`e.author_id = ${where.value(authorId)}`);
  return where;
}

function chosenEntity({ entity_type: type = null, entity_id: id = null }: ListAllAuditEventsDto): {
  type: string | null;
  id: number | null;
} {
  if (type === null && id !== null) throw new InvalidParamsError(['entity_type is missing']);
  return { type, id };
}
