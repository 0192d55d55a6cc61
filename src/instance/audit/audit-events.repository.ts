import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import { AuditEvent } from '../../core/audit/audit-event.entity.js';
import type { AuditedEntity, AuditedEntityType } from '../../core/audit/audit.service.js';
import { NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Conditions } from '../../core/sql/conditions.js';
import { Sql } from '../../core/sql/sql.service.js';
import type { ListAllAuditEventsDto } from './audit-event.dto.js';

const FROM = 'audit_events e';

const COLUMNS = `
  e.id, e.author_id AS "authorId", e.author_name AS "authorName",
  e.impersonator_id AS "impersonatorId", e.impersonator_name AS "impersonatorName",
  e.action, e.target_type AS "targetType", e.target_id AS "targetId",
  e.target_name AS "targetName", e.entity_type AS "entityType", e.entity_id AS "entityId",
  e.entity_path AS "entityPath", host(e.ip_address) AS "ipAddress", e.details,
  e.created_at AS "createdAt"`;

/** An audit event as it is read. */
export interface AuditEventRow {
  id: number;
  authorId: number | null;
  authorName: string | null;
  impersonatorId: number | null;
  impersonatorName: string | null;
  action: string;
  targetType: string;
  targetId: number | null;
  targetName: string | null;
  entityType: AuditedEntityType;
  entityId: number | null;
  entityPath: string | null;
  ipAddress: string | null;
  details: Record<string, unknown>;
  createdAt: Date;
}

/** All audit events, or those of one group or project without its descendants. */
export type AuditScope = 'everything' | (AuditedEntity & { id: number });

/** Owns every statement that reads audit events; `AuditLog` writes them. */
@Injectable()
export class AuditEventsRepository extends Repository<AuditEvent> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(AuditEvent, dataSource.manager);
  }

  /** Returns one page, newest first by default. */
  list(
    scope: AuditScope,
    filters: ListAllAuditEventsDto,
    paging: Paging,
  ): Promise<Page<AuditEventRow>> {
    const where = conditionsOf(scope, filters);
    const direction = filters.sort === 'asc' ? 'ASC' : 'DESC';
    return this.queries.page<AuditEventRow>(
      {
        key: 'e.id',
        select: COLUMNS,
        from: FROM,
        where: String(where),
        orderBy: `e.id ${direction}`,
        values: where.values,
      },
      paging,
    );
  }

  /** Returns the newest events before the one with the id `before`, or the newest of all. */
  listBefore(
    scope: AuditScope,
    filters: ListAllAuditEventsDto,
    { before, limit }: { before: number | null; limit: number },
  ): Promise<AuditEventRow[]> {
    const where = conditionsOf(scope, filters);
    if (before !== null) where.and(`e.id < ${where.value(before)}`);
    return this.queries.rows<AuditEventRow>(
      `SELECT ${COLUMNS} FROM ${FROM} WHERE ${String(where)}
       ORDER BY e.id DESC LIMIT ${where.value(limit)}`,
      where.values,
    );
  }

  /** Throws NotFoundError, also for an event of another scope. */
  async findInScope(scope: AuditScope, id: number): Promise<AuditEventRow> {
    const where = conditionsOf(scope, {});
    where.and(`e.id = ${where.value(id)}`);
    const row = await this.queries.row<AuditEventRow>(
      `SELECT ${COLUMNS} FROM ${FROM} WHERE ${String(where)}`,
      where.values,
    );
    if (row === null) throw new NotFoundError('Audit Event');
    return row;
  }
}

function conditionsOf(scope: AuditScope, filters: ListAllAuditEventsDto): Conditions {
  const where = new Conditions();
  const { entity_type: type = null, entity_id: id = null } = filters;
  const entity = scope === 'everything' ? { type, id } : scope;
  if (entity.type !== null) where.and(`e.entity_type = ${where.value(entity.type)}`);
  if (entity.id !== null) where.and(`e.entity_id = ${where.value(entity.id)}`);
  const { created_after: after, created_before: before, author_id: authorId } = filters;
  if (after) where.and(`e.created_at >= ${where.value(after)}`);
  if (before) where.and(`e.created_at <= ${where.value(before)}`);
  if (authorId != null) where.and(`e.author_id = ${where.value(authorId)}`);
  return where;
}
