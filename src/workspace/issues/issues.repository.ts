import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import type { Viewer } from '../../core/access/auth-context.js';
import { NotFoundError, ConflictError } from '../../core/errors.js';
import type { JsonItem } from '../../core/pagination/json-items.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Conditions } from '../../core/sql/conditions.js';
import { JsonPages, type ItemFormat } from '../../core/sql/json-pages.service.js';
import { stateCountsSql, type NamedCount } from '../../core/sql/counts.js';
import { Sql } from '../../core/sql/sql.service.js';
import { accessLevelSql } from '../../identity/members/sql/access.js';
import { NO_ACCESS } from '../../identity/members/roles.js';
import { subscribedToIssueSql } from '../subscriptions/subscriptions.repository.js';
import type { IssueFiltersDto, ListIssuesDto } from './issue.dto.js';
import { Issue, type IssueState } from './issue.entity.js';
import {
  ISSUE_TABLES,
  issueColumns,
  issuesStatement,
  issueVisibility,
  listedIssueTables,
  selectedIssues,
  type FoundIssue,
  type FreshIssue,
  type IssueRow,
  type IssueSelection,
} from './sql/issue-list.js';

/** The row of the counter is held until the commit, so numbers follow the order of commits. */
const NEXT_IID_SQL = `
  INSERT INTO issue_counters AS c (project_id, last_iid)
    SELECT id, 1 FROM projects WHERE id = $1 AND NOT pending_delete
  ON CONFLICT (project_id) DO UPDATE SET last_iid = c.last_iid + 1
  RETURNING last_iid AS iid`;

const CHOSEN_IID_SQL = `
  INSERT INTO issue_counters AS c (project_id, last_iid)
    SELECT id, $2::bigint FROM projects WHERE id = $1 AND NOT pending_delete
  ON CONFLICT (project_id) DO UPDATE SET last_iid = greatest(c.last_iid, excluded.last_iid)
  RETURNING $2::bigint AS iid`;

/** Reads the lock of the discussion in the same statement, so that no one comments after a lock. */
const TOUCH_SQL = `
  UPDATE issues SET updated_at = now() WHERE id = $1 RETURNING discussion_locked AS locked`;

/** Locks in the order of ids, so that two transactions never wait for each other. */
const LOCK_SQL = `
  SELECT id, project_id AS "projectId" FROM issues
  WHERE id = ANY($1::bigint[]) AND state = $2 ORDER BY id FOR UPDATE`;

const CLOSE_SQL = `
  UPDATE issues SET state = 'closed', closed_at = now(), closed_by_id = $2, updated_at = now()
  WHERE id = ANY($1::bigint[])`;

const REOPEN_SQL = `
  UPDATE issues SET state = 'opened', closed_at = NULL, closed_by_id = NULL, updated_at = now()
  WHERE id = ANY($1::bigint[])`;

/** Issues by state. */
export interface IssueCounts {
  all: number;
  closed: number;
  opened: number;
}

/** A locked issue and its project. */
export interface LockedIssue {
  id: number;
  projectId: number;
}

const STATES = ['opened', 'closed'];

function issueCounts(counts: readonly NamedCount[]): IssueCounts {
  const of = (state: string): number => counts.find(({ name }) => name === state)?.count ?? 0;
  const [opened, closed] = [of('opened'), of('closed')];
  return { all: opened + closed, opened, closed };
}

/** The tables that the conditions of a selection need. */
function countedTables({ groupId }: IssueSelection, filters: IssueFiltersDto): string {
  return listedIssueTables({
    byGroup: groupId !== undefined,
    byAuthorName: Boolean(filters.author_username),
  }).from;
}

/** Owns every statement about issues; visibility is part of lists and reads. */
@Injectable()
export class IssuesRepository extends Repository<Issue> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
    private readonly pages: JsonPages,
  ) {
    super(Issue, dataSource.manager);
  }

  /** Returns one page, newest first unless sorted otherwise; 400 for filters that exclude each other. */
  list(
    viewer: Viewer | null,
    selection: IssueSelection,
    { filters, paging }: { filters: ListIssuesDto; paging: Paging },
  ): Promise<Page<IssueRow>> {
    return this.queries.page<IssueRow>(issuesStatement(viewer, selection, filters), paging);
  }

  /** The same as JSON. */
  listItems<Item>(
    viewer: Viewer | null,
    selection: IssueSelection,
    list: {
      filters: ListIssuesDto;
      paging: Paging;
      format: ItemFormat<Item, IssueRow, FreshIssue>;
    },
  ): Promise<Page<JsonItem<Item>>> {
    return this.pages.page(
      issuesStatement(viewer, selection, list.filters),
      list.paging,
      list.format,
    );
  }

  /** Counts by state what a list without a state would return; large counts as `Sql.counts` does. */
  async countByState(
    viewer: Viewer | null,
    selection: IssueSelection,
    filters: IssueFiltersDto,
  ): Promise<IssueCounts> {
    const { where } = selectedIssues(viewer, selection, filters);
    const states = `$${where.values.length + 1}::text[]`;
    // Planned with its values the first part spares the comparison where both states are counted.
    const counts = await this.queries.counts(
      `SELECT i.state AS name, count(*)::int AS count FROM ${countedTables(selection, filters)}
       WHERE ${where.toString()} AND (cardinality(${states}) = 2 OR i.state = ANY(${states}))
       GROUP BY 1`,
      where.values,
      STATES,
    );
    return issueCounts(counts);
  }

  /** The same for a page, which counts each state up to 10,001. */
  async countForTabs(
    viewer: Viewer | null,
    selection: IssueSelection,
    filters: IssueFiltersDto,
  ): Promise<IssueCounts> {
    const { where } = selectedIssues(viewer, selection, filters);
    const rows = {
      from: countedTables(selection, filters),
      where: where.toString(),
      column: 'i.state',
    };
    const text = stateCountsSql(rows, STATES, `$${where.values.length + 1}`);
    return issueCounts(await this.queries.counts(text, where.values, STATES));
  }

  /** Throws NotFoundError for an issue that is unknown or hidden from the viewer. */
  async findVisible(viewer: Viewer | null, projectId: number, iid: number): Promise<FoundIssue> {
    const where = new Conditions();
    where.and(`i.project_id = ${where.value(projectId)} AND i.iid = ${where.value(iid)}`);
    const { visible, seesInternalNotes } = issueVisibility(where, viewer);
    where.and(visible);
    const row = await this.queries.row<FoundIssue>(
      `SELECT ${issueColumns(seesInternalNotes)},
         ${viewerColumns(where, viewer, seesInternalNotes)}
       FROM ${ISSUE_TABLES} WHERE ${where.toString()}`,
      where.values,
    );
    if (row === null) throw new NotFoundError();
    return row;
  }

  /**
   * Returns the next number of the project, or the `chosen` one, from which counting continues.
   * Throws NotFoundError without the project, ConflictError for a number that is taken.
   */
  async takeIid(manager: EntityManager, projectId: number, chosen: number | null): Promise<number> {
    const values = chosen === null ? [projectId] : [projectId, chosen];
    const sql = chosen === null ? NEXT_IID_SQL : CHOSEN_IID_SQL;
    const [row] = await manager.query<{ iid: number }[]>(sql, values);
    if (row === undefined) throw new NotFoundError('Project');
    const { iid } = row;
    // Every number is taken with the counter locked, so what is free now stays free.
    const isTaken = chosen !== null && (await manager.existsBy(Issue, { projectId, iid }));
    if (isTaken) throw new ConflictError('Duplicated issue');
    return iid;
  }

  /** Touches an issue for a comment and returns whether its discussion is locked. */
  async touch(manager: EntityManager, id: number): Promise<{ locked: boolean }> {
    const [[issue]] = await manager.query<[{ locked: boolean }[], number]>(TOUCH_SQL, [id]);
    if (issue === undefined) throw new NotFoundError();
    return issue;
  }

  /** Locks those of the issues that are in the state. */
  async lockInState(
    manager: EntityManager,
    ids: readonly number[],
    state: IssueState,
  ): Promise<LockedIssue[]> {
    if (ids.length === 0) return [];
    return manager.query<LockedIssue[]>(LOCK_SQL, [ids, state]);
  }

  /** Closes locked issues. */
  async close(manager: EntityManager, ids: readonly number[], actorId: number): Promise<void> {
    await manager.query(CLOSE_SQL, [ids, actorId]);
  }

  /** Reopens locked issues. */
  async reopen(manager: EntityManager, ids: readonly number[]): Promise<void> {
    await manager.query(REOPEN_SQL, [ids]);
  }
}

/** Returns the columns of a FoundIssue about its viewer. */
function viewerColumns(
  conditions: Conditions,
  viewer: Viewer | null,
  seesInternalNotes: string,
): string {
  if (viewer === null) return '0 AS "accessLevel", false AS subscribed';
  const userId = conditions.value(viewer.id);
  const accessLevel = accessLevelSql(userId, 'n', 'p.id');
  const isMember = `${accessLevel} > ${NO_ACCESS}`;
  const subscriber = { row: 'i', userId, seesInternalNotes, isMember };
  return `${accessLevel} AS "accessLevel", ${subscribedToIssueSql(subscriber)} AS subscribed`;
}
