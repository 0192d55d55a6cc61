import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import type { Viewer } from '../../core/access/auth-context.js';
import { ApiError, NotFoundError } from '../../core/errors.js';
import type { JsonItem } from '../../core/pagination/json-items.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Conditions } from '../../core/sql/conditions.js';
import { JsonPages, type ItemFormat } from '../../core/sql/json-pages.service.js';
import { stateCountsSql } from '../../core/sql/counts.js';
import { Sql } from '../../core/sql/sql.service.js';
import { accessLevelSql } from '../../identity/members/sql/access.js';
import { NO_ACCESS } from '../../identity/members/roles.js';
import { subscribedToMergeRequestSql } from '../../workspace/subscriptions/subscriptions.repository.js';
import type { UserBasics } from '../../identity/users/user.presenter.js';
import type { ListMergeRequestsDto } from './merge-request.dto.js';
import { MergeRequest } from './merge-request.entity.js';
import {
  type FoundMergeRequest,
  type FreshMergeRequest,
  listedFrom,
  MERGE_REQUEST_TABLES,
  mergeRequestColumns,
  type MergeRequestRow,
  type MergeRequestSelection,
  mergeRequestsStatement,
  mergeRequestVisibility,
  selectionConditions,
} from './sql/merge-requests.js';

const PARTICIPANTS = `users u JOIN (
    SELECT author_id AS id FROM merge_requests WHERE id = $1
    UNION SELECT user_id FROM merge_request_people WHERE merge_request_id = $1
    UNION SELECT author_id FROM notes WHERE merge_request_id = $1 AND NOT system AND NOT internal
  ) involved ON involved.id = u.id`;

/** The row of the counter is held until the commit, so numbers follow the order of commits. */
const NEXT_IID_SQL = `
  INSERT INTO merge_request_counters AS c (project_id, last_iid)
    SELECT id, 1 FROM projects WHERE id = $1 AND NOT pending_delete
  ON CONFLICT (project_id) DO UPDATE SET last_iid = c.last_iid + 1
  RETURNING last_iid AS iid`;

const CONFLICT_SQL = `
  SELECT iid FROM merge_requests
  WHERE project_id = $1 AND source_branch = $2 AND target_branch = $3 AND state = 'opened'
    AND iid IS DISTINCT FROM $4::bigint`;

const OPEN_INDEX = 'uq_merge_requests_open';

/** Reads the lock of the discussion in the same statement, so that no one comments after it. */
const TOUCH_SQL = `
  UPDATE merge_requests SET updated_at = now() WHERE id = $1
  RETURNING discussion_locked AS locked`;

const REPLACE_HEAD_SQL = `
  UPDATE merge_requests SET head_sha = $4, base_sha = $5, merge_status = 'unchecked'
  WHERE project_id = $1 AND iid = $2 AND head_sha = $3`;

/** Leaves `updated_at` as it is: a check is no change. A head that was pushed meanwhile stays. */
const SAVE_CHECK_SQL = `
  UPDATE merge_requests
  SET merge_status = $4, checked_head_sha = $2, checked_target_sha = $3, base_sha = $5
  WHERE id = $1 AND state = 'opened' AND head_sha = $2`;

/** Merge requests by state. */
export interface MergeRequestCounts {
  all: number;
  opened: number;
  closed: number;
  merged: number;
}

/** A pair of branches that only one open merge request can join. */
export type BranchPair = Pick<MergeRequest, 'projectId' | 'sourceBranch' | 'targetBranch'>;

/** The outcome of a merge check, and the commits that it holds for. */
type MergeCheck = Pick<MergeRequest, 'mergeStatus' | 'baseSha'> & {
  headSha: string;
  targetSha: string;
};

/** Owns the statements about merge requests; visibility is part of lists and reads. */
@Injectable()
export class MergeRequestsRepository extends Repository<MergeRequest> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
    private readonly pages: JsonPages,
  ) {
    super(MergeRequest, dataSource.manager);
  }

  /**
   * Returns one page, newest first unless sorted otherwise; 400 for filters that exclude each
   * other.
   */
  list(
    viewer: Viewer | null,
    selection: MergeRequestSelection,
    { filters, paging }: { filters: ListMergeRequestsDto; paging: Paging },
  ): Promise<Page<MergeRequestRow>> {
    const statement = mergeRequestsStatement(viewer, selection, filters);
    return this.queries.page<MergeRequestRow>(statement, paging);
  }

  /** The same as JSON. */
  listItems<Item>(
    viewer: Viewer | null,
    selection: MergeRequestSelection,
    list: {
      filters: ListMergeRequestsDto;
      paging: Paging;
      format: ItemFormat<Item, MergeRequestRow, FreshMergeRequest>;
    },
  ): Promise<Page<JsonItem<Item>>> {
    const statement = mergeRequestsStatement(viewer, selection, list.filters);
    return this.pages.page(statement, list.paging, list.format);
  }

  /**
   * Counts by state what a list without a state would return, each state up to 10,001; large counts
   * as `Sql.counts` does.
   */
  async countByState(
    viewer: Viewer | null,
    selection: MergeRequestSelection,
    filters: ListMergeRequestsDto,
  ): Promise<MergeRequestCounts> {
    const { where } = selectionConditions(viewer, selection, filters);
    const rows = { from: listedFrom(filters), where: where.toString(), column: 'r.state' };
    const states = ['opened', 'closed', 'merged'];
    const text = stateCountsSql(rows, states, `$${where.values.length + 1}`);
    const counts = await this.queries.counts(text, where.values, states);
    const of = (state: string): number => counts.find(({ name }) => name === state)?.count ?? 0;
    const [opened, closed, merged] = [of('opened'), of('closed'), of('merged')];
    return { all: opened + closed + merged, opened, closed, merged };
  }

  /** Throws NotFoundError for a merge request that is unknown or hidden from the viewer. */
  async findVisible(
    viewer: Viewer | null,
    projectId: number,
    iid: number,
  ): Promise<FoundMergeRequest> {
    const where = new Conditions();
    where.and(`r.project_id = ${where.value(projectId)} AND r.iid = ${where.value(iid)}`);
    const { visible, seesInternalNotes } = mergeRequestVisibility(where, viewer);
    where.and(visible);
    const row = await this.queries.row<FoundMergeRequest>(
      `SELECT ${mergeRequestColumns(seesInternalNotes)},
         ${viewerColumns(where, viewer, seesInternalNotes)}
       FROM ${MERGE_REQUEST_TABLES} WHERE ${where.toString()}`,
      where.values,
    );
    if (row === null) throw new NotFoundError();
    return row;
  }

  /** Returns one page of the author, assignees, reviewers and public commenters, by id. */
  listParticipants(id: number, paging: Paging): Promise<Page<UserBasics>> {
    return this.queries.page<UserBasics>(
      {
        select: 'u.id, u.username, u.name, u.state, u.avatar',
        from: PARTICIPANTS,
        where: 'true',
        orderBy: 'u.id',
        values: [id],
      },
      paging,
    );
  }

  /** Returns the next number of the project; throws NotFoundError without the project. */
  async nextIid(manager: EntityManager, projectId: number): Promise<number> {
    const [counter] = await manager.query<{ iid: number }[]>(NEXT_IID_SQL, [projectId]);
    if (counter === undefined) throw new NotFoundError('Project');
    return counter.iid;
  }

  /** Locks a merge request until the transaction ends; throws NotFoundError. */
  async lock(manager: EntityManager, id: number): Promise<MergeRequest> {
    const row = await manager.findOne(MergeRequest, {
      where: { id },
      lock: { mode: 'pessimistic_write' },
    });
    if (row === null) throw new NotFoundError();
    return row;
  }

  /** Throws 409 when another open merge request joins the branches; `iid` is the own number. */
  async assertOnlyOpen(
    manager: EntityManager,
    { projectId, sourceBranch, targetBranch }: BranchPair,
    iid: number | null,
  ): Promise<void> {
    const values = [projectId, sourceBranch, targetBranch, iid];
    const [other] = await manager.query<{ iid: number }[]>(CONFLICT_SQL, values);
    if (other !== undefined) throw openConflict(other.iid);
  }

  /** Touches a merge request for a comment and returns whether its discussion is locked. */
  async touch(manager: EntityManager, id: number): Promise<{ locked: boolean }> {
    const [[row]] = await manager.query<[{ locked: boolean }[], number]>(TOUCH_SQL, [id]);
    if (row === undefined) throw new NotFoundError();
    return row;
  }

  /** Replaces the head, unless someone else has replaced it meanwhile. */
  async replaceHead(
    { projectId, iid, headSha }: Pick<MergeRequest, 'projectId' | 'iid' | 'headSha'>,
    head: Pick<MergeRequest, 'headSha' | 'baseSha'>,
  ): Promise<void> {
    const values = [projectId, iid, headSha, head.headSha, head.baseSha];
    await this.queries.rows(REPLACE_HEAD_SQL, values);
  }

  /** Saves the outcome of a merge check of an open merge request. */
  async saveCheck(id: number, check: MergeCheck): Promise<void> {
    const { headSha, targetSha, mergeStatus, baseSha } = check;
    await this.queries.rows(SAVE_CHECK_SQL, [id, headSha, targetSha, mergeStatus, baseSha]);
  }
}

/**
 * Returns the 409 for a second open merge request of the same branches; other errors as they are.
 */
export function toOpenConflict(error: unknown): unknown {
  const { constraint } = (error as { driverError?: { constraint?: string } }).driverError ?? {};
  return constraint === OPEN_INDEX ? openConflict(null) : error;
}

function openConflict(iid: number | null): ApiError {
  const text = 'Another open merge request already exists for this source branch';
  return new ApiError(409, { message: [iid === null ? text : `${text}: !${iid}`] });
}

/** Returns the columns of a FoundMergeRequest about its viewer. */
function viewerColumns(
  where: Conditions,
  viewer: Viewer | null,
  seesInternalNotes: string,
): string {
  if (viewer === null) return '0 AS "accessLevel", false AS subscribed';
  const userId = where.value(viewer.id);
  const accessLevel = accessLevelSql(userId, 'n', 'p.id');
  const isMember = `${accessLevel} > ${NO_ACCESS}`;
  const subscriber = { row: 'r', userId, seesInternalNotes, isMember };
  return `${accessLevel} AS "accessLevel", ${subscribedToMergeRequestSql(subscriber)} AS subscribed`;
}
