import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../core/errors.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { Conditions, containsPattern } from '../core/sql/conditions.js';
import { listedText } from '../core/sql/listed-text.js';
import { Sql } from '../core/sql/sql.service.js';
import type { ListMilestonesDto } from './dto/list-milestones.dto.js';
import { milestoneColumns, type MilestoneRow } from './milestone-row.js';

/** More are no choice any longer; the API takes all of them. */
const MOST_CHOICES = 200;

const CHOICES_SQL = `
  SELECT m.id, m.title FROM milestones m
  WHERE m.project_id = $1 AND (m.state = 'active' OR m.id = $2)
  ORDER BY m.id IS NOT DISTINCT FROM $2 DESC, m.due_date ASC NULLS LAST, m.id LIMIT $3`;

/** How many milestones there are, by state. */
export interface MilestoneCounts {
  all: number;
  active: number;
  closed: number;
}

/** A milestone by its name alone. */
export type NamedMilestone = Pick<MilestoneRow, 'id' | 'title'>;

/** Reads the milestones of a project whose asker may see them. */
@Injectable()
export class MilestonesFinder {
  constructor(private readonly sql: Sql) {}

  /** Those that are due first come first, those that are never due last. */
  list(projectId: number, filters: ListMilestonesDto, paging: Paging): Promise<Page<MilestoneRow>> {
    const where = new Conditions();
    where.and(`m.project_id = ${where.value(projectId)}`);
    addFilters(where, filters);
    return this.sql.page<MilestoneRow>(
      {
        key: 'm.id',
        select: milestoneColumns(listedText('m.description', 'm.id')),
        from: 'milestones m',
        where: where.toString(),
        orderBy: 'm.due_date ASC NULLS LAST, m.id ASC',
        values: where.values,
      },
      paging,
    );
  }

  /** Counts what a list without a state would find. */
  async count(projectId: number, filters: ListMilestonesDto): Promise<MilestoneCounts> {
    const where = new Conditions();
    where.and(`m.project_id = ${where.value(projectId)}`);
    addFilters(where, { ...filters, state: 'all' });
    const counts = await this.sql.row<MilestoneCounts>(
      `SELECT count(*)::int AS "all", count(*) FILTER (WHERE m.state = 'active')::int AS active,
         count(*) FILTER (WHERE m.state = 'closed')::int AS closed
       FROM milestones m WHERE ${where.toString()}`,
      where.values,
    );
    return counts ?? { all: 0, active: 0, closed: 0 };
  }

  /** What can be worked towards: the active ones that are due first, and the `present` one. */
  choices(projectId: number, present: number | null): Promise<NamedMilestone[]> {
    return this.sql.rows<NamedMilestone>(CHOICES_SQL, [projectId, present, MOST_CHOICES]);
  }

  /** Throws 404 for one that the project does not have. */
  find(projectId: number, id: number): Promise<MilestoneRow> {
    return this.one('m.project_id = $1 AND m.id = $2', [projectId, id]);
  }

  /** The same by its number in the project. */
  findByIid(projectId: number, iid: number): Promise<MilestoneRow> {
    return this.one('m.project_id = $1 AND m.iid = $2', [projectId, iid]);
  }

  private async one(where: string, values: unknown[]): Promise<MilestoneRow> {
    const row = await this.sql.row<MilestoneRow>(
      `SELECT ${milestoneColumns()} FROM milestones m WHERE ${where}`,
      values,
    );
    if (row === null) throw new NotFoundError('Milestone');
    return row;
  }
}

function addFilters(where: Conditions, filters: ListMilestonesDto): void {
  const { iids, state, title, search, updated_after: after, updated_before: before } = filters;
  if (iids && iids.length > 0) where.and(`m.iid = ANY(${where.value(iids)}::bigint[])`);
  if (state && state !== 'all') where.and(`m.state = ${where.value(state)}`);
  if (title) where.and(`m.title = ${where.value(title)}`);
  if (search) {
    const pattern = where.value(containsPattern(search));
    where.and(`m.title ILIKE ${pattern} OR m.description ILIKE ${pattern}`);
  }
  if (after) where.and(`m.updated_at >= ${where.value(after)}`);
  if (before) where.and(`m.updated_at <= ${where.value(before)}`);
}
