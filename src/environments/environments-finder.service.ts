import { Injectable } from '@nestjs/common';
import { BadRequestError, InvalidParamsError, NotFoundError } from '../core/errors.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { Conditions, containsPattern } from '../core/sql/conditions.js';
import { Sql } from '../core/sql/sql.service.js';
import type { ListEnvironmentsDto } from './dto/list-environments.dto.js';
import { ENVIRONMENT_COLUMNS, type EnvironmentRow } from './environment-row.js';

const MIN_SEARCH_LENGTH = 3;

/** Reads the environments of a project whose asker may see them. */
@Injectable()
export class EnvironmentsFinder {
  constructor(private readonly sql: Sql) {}

  /** In order of their ids; throws 400 for filters that exclude each other or search too little. */
  list(
    projectId: number,
    filters: ListEnvironmentsDto,
    paging: Paging,
  ): Promise<Page<EnvironmentRow>> {
    const where = new Conditions();
    where.and(`e.project_id = ${where.value(projectId)}`);
    addFilters(where, filters);
    return this.sql.page<EnvironmentRow>(
      {
        select: ENVIRONMENT_COLUMNS,
        from: 'environments e',
        where: where.toString(),
        orderBy: 'e.id',
        values: where.values,
      },
      paging,
    );
  }

  /** Throws 404 for one that the project does not have. */
  async find(projectId: number, id: number): Promise<EnvironmentRow> {
    const row = await this.sql.row<EnvironmentRow>(
      `SELECT ${ENVIRONMENT_COLUMNS} FROM environments e WHERE e.project_id = $1 AND e.id = $2`,
      [projectId, id],
    );
    if (row === null) throw new NotFoundError();
    return row;
  }
}

function addFilters(where: Conditions, { name, search, states }: ListEnvironmentsDto): void {
  if (name && search) throw new InvalidParamsError(['name, search cannot be used together']);
  if (search && search.length < MIN_SEARCH_LENGTH) {
    throw new BadRequestError(`Search query is less than ${MIN_SEARCH_LENGTH} characters`);
  }
  if (name) where.and(`e.name = ${where.value(name)}`);
  if (search) where.and(`e.name ILIKE ${where.value(containsPattern(search))}`);
  if (states) where.and(`e.state = ${where.value(states)}`);
}
