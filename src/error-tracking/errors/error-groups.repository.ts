import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Conditions } from '../../core/sql/conditions.js';
import type { NamedCount } from '../../core/sql/counts.js';
import { Sql, type TransactionRows } from '../../core/sql/sql.service.js';
import { PROJECT_ABILITIES } from '../../identity/members/abilities.js';
import { ROLES } from '../../identity/members/roles.js';
import { ASSIGNEE_SQL, CANDIDATES_SQL } from '../../identity/members/sql/access.js';
import type { UserBasics } from '../../identity/users/user.presenter.js';
import type { ProjectRow } from '../../workspace/projects/projects.repository.js';
import { ERROR_ACTIONS, ERROR_STATUS, ERROR_STATUSES, type ErrorStatus } from '../error-values.js';
import type { EventsOwner } from '../events/stored-event.js';
import type { LockedGroup } from '../ingest/grouped-events.js';
import {
  END_IGNORES_SQL,
  LINKED_SQL,
  OPEN_ISSUES_SQL,
  STATUS_SQL,
  type ConditionalStatus,
} from '../sql/error-status.js';
import {
  ERRORS,
  INSERT_SQL,
  LOCK_PROJECTS_SQL,
  LOCK_SQL,
  NEXT_IDS_SQL,
  SUMMARIES,
  UPDATE_SQL,
  type NewGroup,
  type GroupSummary,
} from '../sql/group-ingest.js';
import {
  addErrorFilters,
  isSearch,
  ERROR_COLUMNS,
  GET_SQL,
  OWNER_SQL,
  ERROR_JOINS,
  errorOrder,
  errorsOf,
  type ErrorFilters,
} from '../sql/error-list.js';
import { DELETE_UNSEEN_SQL, LAST_OF_CHUNK_SQL } from '../sql/error-retention.js';
import { ErrorGroup } from '../error-group.entity.js';
import type { ErrorDetailsRow, ErrorGroupRow } from './error-group.js';

/** In the order of ids, as counting events locks them: no deadlock. */
const LOCK_MANY_SQL = `
  SELECT id, updated_at AS "updatedAt" FROM errors WHERE project_id = $1 AND id = ANY($2::bigint[])
    AND merged_into_id IS NULL
  ORDER BY id FOR NO KEY UPDATE`;

/** Role that can read errors. */
const READER_LEVEL = ROLES[PROJECT_ABILITIES.read_error];

/** User to whom an error can be assigned. */
export type AssigneeCandidate = Pick<UserBasics, 'id' | 'username' | 'name'>;

/** An error on the page of its issue. */
export interface LinkedError extends Pick<
  ErrorGroup,
  'id' | 'type' | 'value' | 'culprit' | 'level' | 'status' | 'eventsCount' | 'lastSeenAt'
> {
  /** The number of the issue's errors. */
  total: number;
}

/** Owns every statement about errors. */
@Injectable()
export class ErrorGroupsRepository extends Repository<ErrorGroup> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(ErrorGroup, dataSource.manager);
  }

  /** Returns one page of a project's errors, latest first by default. */
  page(projectId: number, filters: ErrorFilters, paging: Paging): Promise<Page<ErrorGroupRow>> {
    const where = new Conditions();
    addErrorFilters(where, projectId, filters);
    const found = errorsOf(where, filters);
    const direct = found.from === 'errors e';
    return this.queries.page<ErrorGroupRow>(
      {
        ...found,
        rows: { table: 'errors', alias: 'e', columns: { id: 'bigint' }, direct },
        select: ERROR_COLUMNS,
        joins: ERROR_JOINS,
        orderBy: errorOrder(filters),
        values: where.values,
        isSearch: isSearch(filters),
      },
      paging,
    );
  }

  /** Returns an error, or the one it is merged into; throws NotFoundError. */
  async get(projectId: number, id: number): Promise<ErrorDetailsRow> {
    const row = await this.queries.row<ErrorDetailsRow>(GET_SQL, [projectId, id]);
    if (row === null) throw new NotFoundError('Error');
    return row;
  }

  /** Counts the filtered errors by status; large counts as `Sql.counts` does, unless a text or tag limits them. */
  async countByStatus(
    projectId: number,
    filters: ErrorFilters,
  ): Promise<Record<ErrorStatus, number>> {
    const where = new Conditions();
    addErrorFilters(where, projectId, filters);
    const text = `SELECT e.status AS name, count(*)::int AS count FROM errors e
      WHERE ${where.toString()} AND e.status = ANY($${where.values.length + 1}::smallint[])
      GROUP BY e.status`;
    const statuses = [...ERROR_STATUSES.keys()];
    const counts = await (isSearch(filters)
      ? this.queries.searchRows<NamedCount>(text, [...where.values, statuses])
      : this.queries.counts(text, where.values, statuses));
    const of = (status: ErrorStatus): number =>
      counts.find(({ name }) => name === ERROR_STATUSES.indexOf(status))?.count ?? 0;
    return { unresolved: of('unresolved'), resolved: of('resolved'), ignored: of('ignored') };
  }

  /** Returns the owner of events; throws NotFoundError. */
  async getOwner(projectId: number, errorId: number): Promise<EventsOwner> {
    const row = await this.queries.row<EventsOwner>(OWNER_SQL, [projectId, errorId]);
    if (row === null) throw new NotFoundError('Error');
    return row;
  }

  /** Returns the first 20 errors of an issue, unresolved ones first. */
  listLinked(issueId: number, projectId: number): Promise<LinkedError[]> {
    return this.queries.rows<LinkedError>(LINKED_SQL, [issueId, projectId]);
  }

  /** Returns the open issues of the errors. */
  listOpenIssues(
    manager: EntityManager,
    projectId: number,
    ids: readonly number[],
  ): Promise<{ id: number; iid: number }[]> {
    return manager.query<{ id: number; iid: number }[]>(OPEN_ISSUES_SQL, [projectId, ids]);
  }

  /** Locks those of the errors that the project has until the transaction ends. */
  lockMany(
    manager: EntityManager,
    projectId: number,
    ids: readonly number[],
  ): Promise<{ id: number; updatedAt: Date }[]> {
    return manager.query<{ id: number; updatedAt: Date }[]>(LOCK_MANY_SQL, [projectId, ids]);
  }

  /** Sets the status of errors that have another one, or one with a condition; records that. */
  async setStatus(
    manager: EntityManager,
    ids: readonly number[],
    { status, userId, release, until, events, detail }: ConditionalStatus,
  ): Promise<void> {
    const action = status === 'unresolved' ? 'reopened' : status;
    const condition = [release, until, events];
    const recorded = [ERROR_ACTIONS.indexOf(action), detail];
    const values = [ids, ERROR_STATUS[status], userId, ...condition, ...recorded];
    await manager.query(STATUS_SQL, values);
  }

  /** Reopens up to 200 errors that were ignored until now; returns their number. */
  async endIgnores(now: Date): Promise<number> {
    return (await this.queries.rows(END_IGNORES_SQL, [now])).length;
  }

  /** Returns the user if they can read the errors of the project, or null. */
  findAssignee(
    projectId: number,
    { id, username }: { id: number | null; username: string | null },
  ): Promise<Pick<UserBasics, 'id' | 'username'> | null> {
    const values = [projectId, id, username, READER_LEVEL];
    return this.queries.row<Pick<UserBasics, 'id' | 'username'>>(ASSIGNEE_SQL, values);
  }

  /** Returns people, not bots, among the members that can read errors, by name; at most 200. */
  listCandidates(project: ProjectRow): Promise<AssigneeCandidate[]> {
    const values = [project.id, project.namespaceId, READER_LEVEL];
    return this.queries.rows<AssigneeCandidate>(CANDIDATES_SQL, values);
  }

  /** Keeps an issue from being deleted until the transaction ends; throws NotFoundError. */
  async lockIssue(manager: EntityManager, issueId: number): Promise<void> {
    const rows = await manager.query<unknown[]>('SELECT FROM issues WHERE id = $1 FOR KEY SHARE', [
      issueId,
    ]);
    if (rows.length === 0) throw new NotFoundError();
  }

  /** Locks an error until the transaction ends; throws NotFoundError. */
  async lock(
    manager: EntityManager,
    errorId: number,
  ): Promise<Pick<ErrorGroup, 'issueId' | 'updatedAt'>> {
    const [row] = await manager.query<Pick<ErrorGroup, 'issueId' | 'updatedAt'>[]>(
      `SELECT issue_id AS "issueId", updated_at AS "updatedAt" FROM errors WHERE id = $1
     FOR NO KEY UPDATE`,
      [errorId],
    );
    if (row === undefined) throw new NotFoundError('Error');
    return row;
  }

  /** Returns the id of the last of the 1,000 errors after an id; null when there is none. */
  async findLastOfChunk(after: number): Promise<number | null> {
    const chunk = await this.queries.row<{ last: number | null }>(LAST_OF_CHUNK_SQL, [after]);
    return chunk?.last ?? null;
  }

  /** Deletes up to 50 errors without an issue that were not seen since; returns their number. */
  async deleteUnseen(since: Date): Promise<number> {
    return (await this.queries.rows(DELETE_UNSEEN_SQL, [since])).length;
  }

  /** Takes the advisory locks under which errors of projects are inserted, in their order. */
  async lockProjects(rows: TransactionRows, keys: readonly number[]): Promise<void> {
    await rows(LOCK_PROJECTS_SQL, [keys]);
  }

  /** Returns ids for errors to insert. */
  async nextIds(rows: TransactionRows, count: number): Promise<number[]> {
    const ids = await rows<{ id: number }>(NEXT_IDS_SQL, [count]);
    return ids.map(({ id }) => id);
  }

  /** Inserts errors without events. */
  async insertAll(rows: TransactionRows, errors: readonly NewGroup[]): Promise<void> {
    await rows(INSERT_SQL, ERRORS.values(errors));
  }

  /** Locks the errors until the transaction ends; deleted ones are left out. */
  lockAll(rows: TransactionRows, ids: readonly number[]): Promise<LockedGroup[]> {
    return rows<LockedGroup>(LOCK_SQL, [ids]);
  }

  /** Counts the events of locked errors. A resolved error that happened again is unresolved. */
  async countEvents(rows: TransactionRows, summaries: readonly GroupSummary[]): Promise<void> {
    await rows(UPDATE_SQL, SUMMARIES.values(summaries));
  }
}
