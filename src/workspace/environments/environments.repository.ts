import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import { BadRequestError, InvalidParamsError, NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Conditions, containsPattern } from '../../core/sql/conditions.js';
import { Sql } from '../../core/sql/sql.service.js';
import type { ListEnvironmentsDto } from './environment.dto.js';
import { Environment } from './environment.entity.js';

const MIN_SEARCH_LENGTH = 3;

const COLUMNS = `
  e.id, e.name, e.slug, e.external_url AS "externalUrl", e.state, e.tier,
  e.created_at AS "createdAt", e.updated_at AS "updatedAt"`;

/** An environment as it is read. */
export type EnvironmentRow = Omit<Environment, 'projectId'>;

/** Owns every statement about environments. */
@Injectable()
export class EnvironmentsRepository extends Repository<Environment> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(Environment, dataSource.manager);
  }

  /**
   * Returns one page of a project's environments by id; throws 400 for filters that exclude each
   * other and for a search text that is too short.
   */
  list(
    projectId: number,
    filters: ListEnvironmentsDto,
    paging: Paging,
  ): Promise<Page<EnvironmentRow>> {
    const where = new Conditions();
    where.and(`e.project_id = ${where.value(projectId)}`);
    addFilters(where, filters);
    return this.queries.page<EnvironmentRow>(
      {
        select: COLUMNS,
        from: 'environments e',
        where: where.toString(),
        orderBy: 'e.id',
        values: where.values,
      },
      paging,
    );
  }

  /** Throws NotFoundError for an environment that the project does not have. */
  async findInProject(projectId: number, id: number): Promise<EnvironmentRow> {
    const row = await this.queries.row<EnvironmentRow>(
      `SELECT ${COLUMNS} FROM environments e WHERE e.project_id = $1 AND e.id = $2`,
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
