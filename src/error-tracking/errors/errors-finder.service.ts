import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Conditions } from '../../core/sql/conditions.js';
import type { ListQuery } from '../../core/sql/list-query.js';
import { Sql } from '../../core/sql/sql.service.js';
import { ERROR_STATUS, ERROR_STATUSES, type ErrorStatus } from '../error-values.js';
import {
  addErrorFilters,
  errorOrder,
  errorsOfAllStates,
  type ErrorFilters,
} from './error-filters.js';
import { ERROR_COLUMNS, ERROR_JOINS, type ErrorRow } from './error-row.js';

const GET_SQL = `
  SELECT ${ERROR_COLUMNS} FROM errors e ${ERROR_JOINS} WHERE e.project_id = $1 AND e.id = $2`;

/** Reads the errors of a project for who may read them, which the caller has decided. */
@Injectable()
export class ErrorsFinder {
  constructor(private readonly sql: Sql) {}

  /** Those seen last first unless asked otherwise. */
  page(projectId: number, filters: ErrorFilters, paging: Paging): Promise<Page<ErrorRow>> {
    const where = new Conditions();
    addErrorFilters(where, projectId, filters);
    const found = errorsOf(where, filters);
    const direct = found.from === 'errors e';
    return this.sql.page<ErrorRow>(
      {
        ...found,
        rows: { table: 'errors', alias: 'e', columns: ['id'], direct },
        select: ERROR_COLUMNS,
        joins: ERROR_JOINS,
        orderBy: errorOrder(filters),
        values: where.values,
      },
      paging,
    );
  }

  /** The error with that id in the project; 404 when there is none. */
  async get(projectId: number, id: number): Promise<ErrorRow> {
    const row = await this.sql.row<ErrorRow>(GET_SQL, [projectId, id]);
    if (row === null) throw new NotFoundError('Error');
    return row;
  }

  /** Exact counts by state, of the errors that the other filters leave. */
  async counts(projectId: number, filters: ErrorFilters): Promise<Record<ErrorStatus, number>> {
    const where = new Conditions();
    addErrorFilters(where, projectId, filters);
    const rows = await this.sql.rows<{ status: number; count: number }>(
      `SELECT e.status, count(*)::int AS count FROM errors e
       WHERE ${where.toString()} GROUP BY e.status`,
      where.values,
    );
    const of = (status: ErrorStatus): number =>
      rows.find((row) => ERROR_STATUSES[row.status] === status)?.count ?? 0;
    return {
      unresolved: of('unresolved'),
      resolved: of('resolved'),
      ignored: of('ignored'),
    };
  }
}

/** Only what narrows nothing is ordered by the index; few errors are found and sorted sooner. */
function errorsOf(where: Conditions, filters: ErrorFilters): Pick<ListQuery, 'from' | 'where'> {
  const { status } = filters;
  const isOfProject = where.values.length === 1;
  if (status !== null) where.and(`e.status = ${ERROR_STATUS[status]}`);
  else if (isOfProject) return { from: errorsOfAllStates(where, filters), where: 'true' };
  return { from: 'errors e', where: where.toString() };
}
