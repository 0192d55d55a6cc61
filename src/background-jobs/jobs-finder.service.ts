import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../core/errors.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { Conditions } from '../core/sql/conditions.js';
import { Sql } from '../core/sql/sql.service.js';
import type { ListJobsDto } from './dto/list-jobs.dto.js';
import { JOB_COLUMNS, JOB_FROM, type JobRow } from './job-row.js';

/** Finds background jobs of a project. The caller has checked that the asker may. */
@Injectable()
export class JobsFinder {
  constructor(private readonly sql: Sql) {}

  /** One page by number, newest first unless asked otherwise. */
  list(projectId: number, filters: ListJobsDto, paging: Paging): Promise<Page<JobRow>> {
    const where = conditionsOf(projectId, filters);
    const direction = filters.sort === 'asc' ? 'ASC' : 'DESC';
    return this.sql.page<JobRow>(
      {
        select: JOB_COLUMNS,
        from: JOB_FROM,
        where: String(where),
        orderBy: `j.id ${direction}`,
        values: where.values,
      },
      paging,
    );
  }

  /** The next jobs older than `before`, or the newest. */
  listBefore(
    projectId: number,
    filters: ListJobsDto,
    { before, limit }: { before: number | null; limit: number },
  ): Promise<JobRow[]> {
    const where = conditionsOf(projectId, filters);
    if (before !== null) where.and(`j.id < ${where.value(before)}`);
    return this.sql.rows<JobRow>(
      `SELECT ${JOB_COLUMNS} FROM ${JOB_FROM} WHERE ${String(where)}
       ORDER BY j.id DESC LIMIT ${where.value(limit)}`,
      where.values,
    );
  }

  /** Throws 404, also for a job of another project. */
  async get(projectId: number, id: number): Promise<JobRow> {
    const job = await this.sql.row<JobRow>(
      `SELECT ${JOB_COLUMNS} FROM ${JOB_FROM} WHERE j.project_id = $1 AND j.id = $2`,
      [projectId, id],
    );
    if (job === null) throw new NotFoundError('Job');
    return job;
  }
}

function conditionsOf(projectId: number, { scope }: ListJobsDto): Conditions {
  const where = new Conditions();
  where.and(`j.project_id = ${where.value(projectId)}`);
  if (scope?.length) where.and(`s.status = ANY(${where.value(scope)}::text[])`);
  return where;
}
