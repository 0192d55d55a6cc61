import { Injectable } from '@nestjs/common';
import type { Viewer } from '../core/access/viewer.js';
import { ApiError, MethodNotAllowedError } from '../core/errors.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { Conditions } from '../core/sql/conditions.js';
import { similaritySql } from '../core/sql/similarity.js';
import { Sql } from '../core/sql/sql.service.js';
import { viewerSql } from '../members/sql/access.js';
import type { ListProjectsDto } from './dto/list-projects.dto.js';
import {
  addAdminFilters,
  addAttributes,
  addMembership,
  addRanges,
  addScope,
  addSearch,
  addVisibility,
  type ProjectsScope,
} from './project-filters.js';
import {
  countColumns,
  PROJECT_COLUMNS,
  PROJECT_FROM,
  projectJoins,
  type CountedProjectRow,
} from './project-row.js';

export interface ProjectsQuery {
  filters: ListProjectsDto;
  viewer: Viewer | null;
  scope?: ProjectsScope;
}

/** Orders by a column; those without data of their own yet (stars, sizes) fall back to the id. */
const ORDER_COLUMNS: Record<string, string | undefined> = {
  name: 'p.name',
  path: 'p.path',
  created_at: 'p.created_at',
  updated_at: 'p.updated_at',
  last_activity_at: 'p.last_activity_at',
};
const SIZE_ORDERS = ['storage_size', 'repository_size', 'wiki_size', 'packages_size'];

const DEEPEST_OFFSET = 50_000;
const TOO_DEEP = `Offset pagination has a maximum allowed offset of ${DEEPEST_OFFSET} for requests that return objects of type Project. Remaining records can be retrieved using keyset pagination.`;

interface Statement {
  select: string;
  from: string;
  joins: string;
  where: string;
  orderBy: string;
  values: unknown[];
}

/** Lists projects; what the viewer cannot see is left out by the statement itself. */
@Injectable()
export class ProjectsFinder {
  constructor(private readonly sql: Sql) {}

  /** Throws 400 when filtering by `updated_at` without ordering by it, 405 for too deep a page. */
  async list(query: ProjectsQuery, paging: Paging): Promise<Page<CountedProjectRow>> {
    if (paging.page * paging.perPage > DEEPEST_OFFSET) {
      throw new MethodNotAllowedError({ error: TOO_DEEP });
    }
    return this.sql.page<CountedProjectRow>({ key: 'p.id', ...statement(query) }, paging);
  }

  /** The first rows of the list, for keyset pagination, where a filter by id says how far one is. */
  slice(query: ProjectsQuery, limit: number): Promise<CountedProjectRow[]> {
    const { select, from, joins, where, orderBy, values } = statement(query);
    return this.sql.rows<CountedProjectRow>(
      `SELECT ${select} FROM ${from} ${joins} WHERE ${where} ORDER BY ${orderBy} LIMIT $${values.length + 1}`,
      [...values, limit],
    );
  }
}

function statement({ filters, viewer, scope = {} }: ProjectsQuery): Statement {
  assertPaired(filters);
  const where = new Conditions();
  const isAdmin = viewer?.admin === true;
  const from = `${PROJECT_FROM} ${viewerSql(where.value(viewer?.id ?? null))}`;
  addAdminFilters(where, filters, isAdmin);
  addVisibility(where, viewer);
  addScope(where, scope);
  addMembership(where, filters);
  addAttributes(where, filters);
  addRanges(where, filters);
  const orderBy = order(filters, addSearch(where, filters), isAdmin);
  return {
    select: `${PROJECT_COLUMNS}, ${countColumns({ id: 'p.id', namespaceId: 'p.namespace_id' })}`,
    from,
    joins: projectJoins('viewer.id'),
    where: String(where),
    orderBy,
    values: where.values,
  };
}

function order(filters: ListProjectsDto, pattern: string | null, isAdmin: boolean): string {
  const direction = filters.sort === 'asc' ? 'ASC' : 'DESC';
  const tie = `p.id ${direction}`;
  const by = filters.order_by ?? 'created_at';
  if (by === 'similarity' && pattern !== null) {
    return `${similaritySql(pattern, ['p.path', 'p.name'])}, p.name, p.id`;
  }
  const hasNoData = by === 'star_count' || (isAdmin && SIZE_ORDERS.includes(by));
  if (by === 'id' || hasNoData) return tie;
  return `${ORDER_COLUMNS[by] ?? 'p.created_at'} ${direction}, ${tie}`;
}

function assertPaired(filters: ListProjectsDto): void {
  const isFiltered = Boolean(filters.updated_after) || Boolean(filters.updated_before);
  if (!isFiltered || filters.order_by === 'updated_at') return;
  throw new ApiError(400, {
    message: '`updated_at` filter and `updated_at` sorting must be paired',
  });
}
