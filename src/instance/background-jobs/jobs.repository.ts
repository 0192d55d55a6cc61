import { Injectable } from '@nestjs/common';
import {
  Check,
  Column,
  DataSource,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
  Repository,
} from 'typeorm';
import { NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Conditions } from '../../core/sql/conditions.js';
import { Sql } from '../../core/sql/sql.service.js';
import type { JobStatus, ListJobsDto } from './job.dto.js';

export type BackgroundJobKind = 'project_move' | 'snippet_move';

/**
 * One piece of work in the background of a project, in one space of ids for all kinds. Only names
 * the row that holds the work's state; written by triggers together with that row.
 */
@Entity('background_jobs')
@Index('uq_background_jobs_subject', ['kind', 'subjectId'], { unique: true })
@Index('ix_background_jobs_project', ['projectId', 'id'])
@Check('ck_background_jobs_kind', `"kind" IN ('project_move', 'snippet_move')`)
export class BackgroundJob {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_background_jobs',
  })
  id: number;

  @ForeignKey('Project', { name: 'fk_background_jobs_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id' })
  projectId: number;

  @Column({ type: 'text', name: 'kind' })
  kind: BackgroundJobKind;

  /** ID of the storage move. */
  @Column({ type: 'bigint', name: 'subject_id' })
  subjectId: number;
}

/** Maps the state of a storage move to the status of its job. A cancelled move is `canceled`. */
const STATUS_OF_MOVE: Record<string, JobStatus> = {
  initial: 'created',
  scheduled: 'pending',
  started: 'running',
  replicated: 'running',
  finished: 'success',
  failed: 'failed',
  'cleanup failed': 'failed',
};

const MOVE_STATUS_SQL = `CASE
  WHEN m.state = 'failed' AND m.cancelled_by IS NOT NULL THEN 'canceled'
  ${Object.entries(STATUS_OF_MOVE)
    .map(([state, status]) => `WHEN m.state = '${state}' THEN '${status}'`)
    .join(' ')}
END`;

/** Reveals nothing about the storages. */
const MOVE_FAILURE_SQL = `CASE
  WHEN m.state = 'failed' AND m.cancelled_by IS NULL THEN 'move_failed'
  WHEN m.state = 'cleanup failed' THEN 'cleanup_failed'
END`;

const moveSql = (kind: BackgroundJobKind, table: string): string => `
  SELECT ${MOVE_STATUS_SQL} AS status, ${MOVE_FAILURE_SQL} AS failure_reason,
         m.created_at, m.started_at, m.finished_at
  FROM ${table} m WHERE j.kind = '${kind}' AND m.id = j.subject_id`;

/** Joins a job with the row that holds its state and skips jobs whose row is deleted. */
export const JOB_FROM = `background_jobs j CROSS JOIN LATERAL (
  ${moveSql('project_move', 'project_repository_storage_moves')}
  UNION ALL
  ${moveSql('snippet_move', 'snippet_repository_storage_moves')}
) s`;

/** Never below zero, though clocks of several machines may have written the two times. */
const secondsSql = (from: string, to: string): string =>
  `greatest(0, extract(epoch FROM ${to} - ${from}))::float8`;

export const JOB_COLUMNS = `
  j.id, j.kind, j.subject_id, j.project_id, s.status, s.failure_reason,
  s.created_at, s.started_at, s.finished_at,
  ${secondsSql('s.started_at', 'coalesce(s.finished_at, now())')} AS duration,
  ${secondsSql('s.created_at', 'coalesce(s.started_at, s.finished_at, now())')} AS queued_duration`;

/** A job as it is read. */
export interface JobRow {
  id: number;
  kind: BackgroundJobKind;
  subject_id: number;
  project_id: number;
  status: JobStatus;
  failure_reason: 'move_failed' | 'cleanup_failed' | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  duration: number | null;
  queued_duration: number;
}

/** Owns every statement about background jobs; triggers write them with the rows of their work. */
@Injectable()
export class JobsRepository extends Repository<BackgroundJob> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(BackgroundJob, dataSource.manager);
  }

  /** Returns one page of a project's jobs by id, newest first by default. */
  list(projectId: number, filters: ListJobsDto, paging: Paging): Promise<Page<JobRow>> {
    const where = conditions(projectId, filters);
    const direction = filters.sort === 'asc' ? 'ASC' : 'DESC';
    return this.queries.page<JobRow>(
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

  /** Returns the next jobs older than `before`, or the newest. */
  listBefore(
    projectId: number,
    filters: ListJobsDto,
    { before, limit }: { before: number | null; limit: number },
  ): Promise<JobRow[]> {
    const where = conditions(projectId, filters);
    if (before !== null) where.and(`j.id < ${where.value(before)}`);
    return this.queries.rows<JobRow>(
      `SELECT ${JOB_COLUMNS} FROM ${JOB_FROM} WHERE ${String(where)}
       ORDER BY j.id DESC LIMIT ${where.value(limit)}`,
      where.values,
    );
  }

  /** Throws NotFoundError for a job that the project does not have. */
  async findInProject(projectId: number, id: number): Promise<JobRow> {
    const job = await this.queries.row<JobRow>(
      `SELECT ${JOB_COLUMNS} FROM ${JOB_FROM} WHERE j.project_id = $1 AND j.id = $2`,
      [projectId, id],
    );
    if (job === null) throw new NotFoundError('Job');
    return job;
  }
}

function conditions(projectId: number, { scope }: ListJobsDto): Conditions {
  const where = new Conditions();
  where.and(`j.project_id = ${where.value(projectId)}`);
  if (scope?.length) where.and(`s.status = ANY(${where.value(scope)}::text[])`);
  return where;
}
