import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import type { Page } from '../../core/pagination/page.js';
import type { CommitState } from '../repository/commit-states.js';
import { NotFoundError } from '../../core/errors.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Conditions } from '../../core/sql/conditions.js';
import { Sql } from '../../core/sql/sql.service.js';
import { optionalUserSql } from '../../identity/users/sql/user-list.js';
import type { UserBasics } from '../../identity/users/user.presenter.js';
import type { ListCommitStatusesDto, ReportCommitStatusDto } from './commit-status.dto.js';
import { CommitStatus } from './commit-status.entity.js';

/** A status with its pipeline and author. */
export interface CommitStatusRow {
  id: number;
  sha: string;
  ref: string;
  pipelineId: number;
  name: string;
  state: CommitState;
  targetUrl: string | null;
  description: string | null;
  coverage: number | null;
  allowFailure: boolean;
  /** null = deleted since. */
  author: UserBasics | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  createdAt: Date;
}

const COLUMNS = `s.id, l.sha, l.ref, s.pipeline_id AS "pipelineId", s.name, s.state,
  s.target_url AS "targetUrl", s.description, s.coverage, s.allow_failure AS "allowFailure",
  ${optionalUserSql('author')} AS author,
  s.started_at AS "startedAt", s.finished_at AS "finishedAt", s.created_at AS "createdAt"`;

const TABLES = 'commit_statuses s JOIN pipelines l ON l.id = s.pipeline_id';
const AUTHOR = 'LEFT JOIN users author ON author.id = s.user_id';

const CURRENT_SQL = `
  SELECT id, state FROM commit_statuses WHERE pipeline_id = $1 AND name = $2 AND NOT retried`;

const RETRY_SQL = 'UPDATE commit_statuses SET retried = true WHERE id = $1';

const STARTED = `CASE WHEN $2 = 'running' THEN now() END`;
const FINISHED = `CASE WHEN $2 NOT IN ('pending', 'running') THEN now() END`;

const CHANGE_SQL = `
  UPDATE commit_statuses SET state = $2, target_url = coalesce($3, target_url),
    description = coalesce($4, description), coverage = coalesce($5, coverage),
    allow_failure = coalesce($6, allow_failure),
    started_at = coalesce(started_at, ${STARTED}), finished_at = ${FINISHED}
  WHERE id = $1`;

const INSERT_SQL = `
  INSERT INTO commit_statuses (pipeline_id, state, target_url, description, coverage,
    allow_failure, name, user_id, started_at, finished_at)
  VALUES ($1, $2, $3, $4, $5, coalesce($6, false), $7, $8, ${STARTED}, ${FINISHED})
  RETURNING id`;

/** The latest status of a name in a pipeline. */
export interface CurrentStatus {
  id: number;
  state: CommitState;
}

/** The pipeline, name and user of a new status, and the status that it replaces. */
interface NewStatus {
  pipelineId: number;
  name: string;
  userId: number;
  current: CurrentStatus | null;
}

/** Attributes of a report. */
type ReportedAttributes = Pick<
  ReportCommitStatusDto,
  'state' | 'target_url' | 'description' | 'coverage' | 'allow_failure'
>;

/** Owns every statement about commit statuses. */
@Injectable()
export class CommitStatusesRepository extends Repository<CommitStatus> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(CommitStatus, dataSource.manager);
  }

  /** Returns one page of a commit's statuses by its full id, oldest first unless sorted otherwise. */
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
    return this.queries.page<CommitStatusRow>(
      {
        key: 's.id',
        select: COLUMNS,
        from: TABLES,
        joins: AUTHOR,
        where: where.toString(),
        orderBy: `${first}s.id ${direction}`,
        values: where.values,
      },
      paging,
    );
  }

  /** Throws NotFoundError when the status is gone. */
  async findPresentable(id: number): Promise<CommitStatusRow> {
    const sql = `SELECT ${COLUMNS} FROM ${TABLES} ${AUTHOR} WHERE s.id = $1`;
    const row = await this.queries.row<CommitStatusRow>(sql, [id]);
    if (row === null) throw new NotFoundError('Commit');
    return row;
  }

  /** Returns the latest status of that name in a pipeline; null when it has none. */
  async findCurrent(
    manager: EntityManager,
    pipelineId: number,
    name: string,
  ): Promise<CurrentStatus | null> {
    const [current] = await manager.query<CurrentStatus[]>(CURRENT_SQL, [pipelineId, name]);
    return current ?? null;
  }

  /** Changes an unfinished status; attributes that are null keep their value. */
  async change(manager: EntityManager, id: number, attributes: ReportedAttributes): Promise<void> {
    await manager.query(CHANGE_SQL, [id, ...valuesOf(attributes)]);
  }

  /** Adds a status in place of the `current` one, if any, and returns its id. */
  async add(
    manager: EntityManager,
    { pipelineId, name, userId, current }: NewStatus,
    attributes: ReportedAttributes,
  ): Promise<number> {
    if (current !== null) await manager.query(RETRY_SQL, [current.id]);
    const values = [pipelineId, ...valuesOf(attributes), name, userId];
    const [added] = await manager.query<{ id: number }[]>(INSERT_SQL, values);
    if (added === undefined) throw new Error('A status was not inserted');
    return added.id;
  }
}

function valuesOf(attributes: ReportedAttributes): unknown[] {
  const { state, target_url: url, description, coverage, allow_failure: isAllowed } = attributes;
  return [state, url || null, description || null, coverage ?? null, isAllowed ?? null];
}
