import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { InvalidParamsError, NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Conditions, containsPattern } from '../../core/sql/conditions.js';
import { beginningOfText, listedText } from '../../core/sql/list-query.js';
import { Sql } from '../../core/sql/sql.service.js';
import type { ListMilestonesDto, Timebox } from './milestone.dto.js';
import { Milestone } from './milestone.entity.js';

/** Most milestones that a form offers; the API takes any of them. */
const MAX_CHOICES = 200;

const TODAY = `(now() AT TIME ZONE 'UTC')::date`;
const EXPIRED = `coalesce(m.due_date < ${TODAY}, false)`;

const columns = (description = 'm.description'): string => `
  m.id, m.project_id AS "projectId", m.iid, m.title, ${description} AS description, m.state,
  m.start_date AS "startDate", m.due_date AS "dueDate", ${EXPIRED} AS expired,
  m.created_at AS "createdAt", m.updated_at AS "updatedAt"`;

const CHOICES_SQL = `
  SELECT m.id, m.title FROM milestones m
  WHERE m.project_id = $1 AND (m.state = 'active' OR m.id = $2)
  ORDER BY m.id IS NOT DISTINCT FROM $2 DESC, m.due_date ASC NULLS LAST, m.id LIMIT $3`;

/** The row of the counter is held until the commit, so numbers follow the order of commits. */
const NEXT_IID_SQL = `
  INSERT INTO milestone_counters AS c (project_id, last_iid)
    SELECT id, 1 FROM projects WHERE id = $1 AND NOT pending_delete
  ON CONFLICT (project_id) DO UPDATE SET last_iid = c.last_iid + 1
  RETURNING last_iid AS iid`;

const LOCK_FOR_DELETION_SQLS = [
  'SELECT id FROM milestones WHERE id = $1 FOR NO KEY UPDATE',
  'SELECT id FROM issues WHERE milestone_id = $1 ORDER BY id FOR UPDATE',
  'SELECT id FROM merge_requests WHERE milestone_id = $1 ORDER BY id FOR UPDATE',
];

const ASSIGNABLE_SQL = `
  SELECT id AS "milestoneId", title FROM milestones
  WHERE project_id = $1 AND id = $2 FOR KEY SHARE`;

const PROGRESS_SQL = `
  SELECT i.milestone_id AS id, count(*)::int AS total,
    count(*) FILTER (WHERE i.state = 'closed')::int AS closed
  FROM issues i
  WHERE i.milestone_id = ANY($1::bigint[]) AND (NOT i.confidential OR $2 OR i.author_id = $3)
  GROUP BY i.milestone_id`;

/** A milestone as it is read. */
export interface MilestoneRow extends Milestone {
  /** The due date is before today (UTC). */
  expired: boolean;
}

/** A milestone inside the row of an issue or merge request. */
export type JoinedMilestone = Omit<MilestoneRow, 'createdAt' | 'updatedAt'> &
  Record<'createdAt' | 'updatedAt', string>;

export type NamedMilestone = Pick<MilestoneRow, 'id' | 'title'>;

/** Milestones by state. */
export interface MilestoneCounts {
  all: number;
  active: number;
  closed: number;
}

/** Issues of a milestone. */
export interface MilestoneProgress {
  total: number;
  closed: number;
}

/** Owns every statement about milestones. */
@Injectable()
export class MilestonesRepository extends Repository<Milestone> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(Milestone, dataSource.manager);
  }

  /** Returns one page of a project's milestones, earliest due date first. */
  list(projectId: number, filters: ListMilestonesDto, paging: Paging): Promise<Page<MilestoneRow>> {
    const where = conditions(projectId, filters);
    return this.queries.page<MilestoneRow>(
      {
        key: 'm.id',
        select: columns(listedText('m.description', 'm.id')),
        from: 'milestones m',
        where: where.toString(),
        orderBy: 'm.due_date ASC NULLS LAST, m.id ASC',
        values: where.values,
      },
      paging,
    );
  }

  /** Counts by state what a list without a state would return. */
  async countByState(projectId: number, filters: ListMilestonesDto): Promise<MilestoneCounts> {
    const where = conditions(projectId, { ...filters, state: 'all' });
    const counts = await this.queries.row<MilestoneCounts>(
      `SELECT count(*)::int AS "all", count(*) FILTER (WHERE m.state = 'active')::int AS active,
         count(*) FILTER (WHERE m.state = 'closed')::int AS closed
       FROM milestones m WHERE ${where.toString()}`,
      where.values,
    );
    return counts ?? { all: 0, active: 0, closed: 0 };
  }

  /** Returns the choices of a form: active milestones by due date, and the `present` one. */
  choices(projectId: number, present: number | null): Promise<NamedMilestone[]> {
    return this.queries.rows<NamedMilestone>(CHOICES_SQL, [projectId, present, MAX_CHOICES]);
  }

  /** Throws NotFoundError for a milestone that the project does not have. */
  findInProject(projectId: number, id: number): Promise<MilestoneRow> {
    return this.findRow('m.project_id = $1 AND m.id = $2', [projectId, id]);
  }

  /** The same by its number in the project. */
  findByIid(projectId: number, iid: number): Promise<MilestoneRow> {
    return this.findRow('m.project_id = $1 AND m.iid = $2', [projectId, iid]);
  }

  private async findRow(where: string, values: unknown[]): Promise<MilestoneRow> {
    const row = await this.queries.row<MilestoneRow>(
      `SELECT ${columns()} FROM milestones m WHERE ${where}`,
      values,
    );
    if (row === null) throw new NotFoundError('Milestone');
    return row;
  }

  /** Counts the issues of milestones by milestone id, confidential ones only for who sees them. */
  async progressOf(
    ids: readonly number[],
    { seesConfidential, viewerId }: { seesConfidential: boolean; viewerId: number | null },
  ): Promise<Map<number, MilestoneProgress>> {
    const rows = await this.queries.rows<MilestoneProgress & { id: number }>(PROGRESS_SQL, [
      ids,
      seesConfidential,
      viewerId,
    ]);
    return new Map(rows.map(({ id, total, closed }) => [id, { total, closed }]));
  }

  /** Returns the next number of the project; throws NotFoundError without the project. */
  async nextIid(manager: EntityManager, projectId: number): Promise<number> {
    const [counter] = await manager.query<{ iid: number }[]>(NEXT_IID_SQL, [projectId]);
    if (counter === undefined) throw new NotFoundError('Project');
    return counter.iid;
  }

  /** Locks a milestone until the transaction ends; throws NotFoundError. */
  async lock(manager: EntityManager, id: number): Promise<Milestone> {
    const lock = { mode: 'pessimistic_write' } as const;
    const row = await manager.findOne(Milestone, { where: { id }, lock });
    if (row === null) throw new NotFoundError('Milestone');
    return row;
  }

  /**
   * Locks a milestone after its issues and merge requests, as changes of these do; the first,
   * weaker lock only keeps out a second deletion. Throws NotFoundError.
   */
  async lockForDeletion(manager: EntityManager, id: number): Promise<void> {
    for (const text of LOCK_FOR_DELETION_SQLS) await manager.query(text, [id]);
    await this.lock(manager, id);
  }

  /** Returns a milestone of the project and keeps it from being deleted until the commit. */
  async findAssignable(
    manager: EntityManager,
    projectId: number,
    id: number,
  ): Promise<MilestoneAssignment | null> {
    const rows = await manager.query<MilestoneAssignment[]>(ASSIGNABLE_SQL, [projectId, id]);
    return rows[0] ?? null;
  }
}

/** The milestone of an issue or merge request; both null for none. */
export interface MilestoneAssignment {
  milestoneId: number | null;
  title: string | null;
}

function conditions(projectId: number, filters: ListMilestonesDto): Conditions {
  const { iids, state, title, search, updated_after: after, updated_before: before } = filters;
  const where = new Conditions();
  where.and(`m.project_id = ${where.value(projectId)}`);
  if (iids && iids.length > 0) where.and(`m.iid = ANY(${where.value(iids)}::bigint[])`);
  if (state && state !== 'all') where.and(`m.state = ${where.value(state)}`);
  if (title) where.and(`m.title = ${where.value(title)}`);
  if (search) {
    const pattern = where.value(containsPattern(search));
    where.and(`m.title ILIKE ${pattern} OR m.description ILIKE ${pattern}`);
  }
  if (after) where.and(`m.updated_at >= ${where.value(after)}`);
  if (before) where.and(`m.updated_at <= ${where.value(before)}`);
  return where;
}

/** Returns a SQL expression for the JoinedMilestone with that id or null; `id` is SQL as well. */
export const joinedMilestoneSql = (id: string): string => `
  (SELECT json_build_object('id', m.id, 'projectId', m.project_id, 'iid', m.iid,
     'title', m.title, 'description', ${beginningOfText('m.description')}, 'state', m.state,
     'startDate', m.start_date, 'dueDate', m.due_date, 'expired', ${EXPIRED},
     'createdAt', m.created_at, 'updatedAt', m.updated_at)
   FROM milestones m WHERE m.id = ${id})`;

export const joinedMilestoneVersionSql = (id: string): string => `CASE WHEN ${id} IS NOT NULL
  THEN (SELECT concat(m.xmin, ${EXPIRED}) FROM milestones m WHERE m.id = ${id}) END`;

/** Milestone filters of lists of issues and merge requests. */
interface MilestoneFilter {
  /** A title, or one of the words `None` and `Any`. */
  milestone?: string | null;
  milestone_id?: Timebox | null;
}

/**
 * Adds the filter to a list over a table with the columns `milestone_id` and `project_id`, which
 * the alias names; throws 400 for a title together with a timebox.
 */
export function addMilestoneFilter(
  where: Conditions,
  alias: string,
  { milestone: title, milestone_id: timebox }: MilestoneFilter,
): void {
  if (title && timebox) {
    throw new InvalidParamsError(['milestone, milestone_id are mutually exclusive']);
  }
  // The project is named as well, so that a title is found by its index.
  const exists = (condition: string): string => `EXISTS (SELECT 1 FROM milestones m
    WHERE m.id = ${alias}.milestone_id AND m.project_id = ${alias}.project_id AND ${condition})`;
  const word = title?.toLowerCase();
  if (timebox === 'None' || word === 'none') where.and(`${alias}.milestone_id IS NULL`);
  else if (timebox === 'Any' || word === 'any') where.and(`${alias}.milestone_id IS NOT NULL`);
  else if (timebox === 'Upcoming') {
    where.and(exists(`m.state = 'active' AND m.due_date > ${TODAY}`));
  } else if (timebox === 'Started') {
    where.and(exists(`m.state = 'active' AND m.start_date <= ${TODAY}`));
  } else if (title) where.and(exists(`m.title = ${where.value(title)}`));
}
