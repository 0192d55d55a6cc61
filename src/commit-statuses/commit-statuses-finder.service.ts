import { Injectable } from '@nestjs/common';
import { orNotFound } from '../code/project-repository.service.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { Conditions } from '../core/sql/conditions.js';
import { Sql } from '../core/sql/sql.service.js';
import {
  type CommitStatusRow,
  STATUS_AUTHOR,
  STATUS_COLUMNS,
  STATUS_TABLES,
} from './commit-status-row.js';
import type { ListCommitStatusesDto } from './dto/list-commit-statuses.dto.js';

/** Reads what outside CI says of commits. */
@Injectable()
export class CommitStatusesFinder {
  constructor(private readonly sql: Sql) {}

  /** Of the commit with that full id, the oldest first unless asked otherwise. */
  list(
    { projectId, sha }: { projectId: number; sha: string },
    filters: ListCommitStatusesDto,
    paging: Paging,
  ): Promise<Page<CommitStatusRow>> {
    const where = new Conditions();
    where.and(`l.project_id = ${where.value(projectId)} AND l.sha = ${where.value(sha)}`);
    const { ref, name, pipeline_id: pipelineId } = filters;
    if (ref) where.and(`l.ref = ${where.value(ref)}`);
    if (name) where.and(`s.name = ${where.value(name)}`);
    if (pipelineId) where.and(`s.pipeline_id = ${where.value(pipelineId)}`);
    if (filters.all !== true) where.and('NOT s.retried');
    const direction = filters.sort === 'desc' ? 'DESC' : 'ASC';
    const first = filters.order_by === 'pipeline_id' ? `s.pipeline_id ${direction}, ` : '';
    return this.sql.page<CommitStatusRow>(
      {
        key: 's.id',
        select: STATUS_COLUMNS,
        from: STATUS_TABLES,
        joins: STATUS_AUTHOR,
        where: where.toString(),
        orderBy: `${first}s.id ${direction}`,
        values: where.values,
      },
      paging,
    );
  }

  /** 404 when it is gone meanwhile. */
  async find(id: number): Promise<CommitStatusRow> {
    const sql = `SELECT ${STATUS_COLUMNS} FROM ${STATUS_TABLES} ${STATUS_AUTHOR} WHERE s.id = $1`;
    return orNotFound(await this.sql.row<CommitStatusRow>(sql, [id]), 'Commit');
  }
}
