import { Injectable } from '@nestjs/common';
import type { Viewer } from '../core/access/viewer.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { Conditions, containsPattern } from '../core/sql/conditions.js';
import { similaritySql } from '../core/sql/similarity.js';
import { Sql } from '../core/sql/sql.service.js';
import { askerSql, authorizedNamespacesSql } from '../members/authorized-sql.js';
import { ROLES } from '../members/roles.js';
import { VISIBILITY } from '../members/visibility.js';
import type { ListGroupsDto } from './dto/list-groups.dto.js';
import type { GroupPosition } from './group-keyset.js';
import { GROUP_FROM, groupColumns, type GroupRow } from './group-row.js';

interface GroupsQuery {
  filters: ListGroupsDto;
  viewer: Viewer | null;
  /** Only the direct subgroups of this group. */
  parentId?: number;
}

const SELECT = groupColumns('asker.id');

/** Lists groups; what the asker may not see is left out by the statement itself. */
@Injectable()
export class GroupsFinder {
  constructor(private readonly sql: Sql) {}

  list(query: GroupsQuery, paging: Paging): Promise<Page<GroupRow>> {
    const where = new Conditions();
    const from = addAll(where, query);
    const orderBy = order(query.filters, addSearch(where, query.filters));
    return this.sql.page<GroupRow>(
      { key: 'g.id', select: SELECT, from, where: String(where), orderBy, values: where.values },
      paging,
    );
  }

  /** The next `limit` groups by name, for keyset pagination. */
  listAfter(query: GroupsQuery, after: GroupPosition | null, limit: number): Promise<GroupRow[]> {
    const where = new Conditions();
    const from = addAll(where, query);
    addSearch(where, query.filters);
    if (after !== null) {
      where.and(`(n.name, g.id) > (${where.value(after.name)}, ${where.value(after.id)}::bigint)`);
    }
    const text = `SELECT ${SELECT} FROM ${from} WHERE ${String(where)}
      ORDER BY n.name, g.id LIMIT ${where.value(limit)}`;
    return this.sql.rows<GroupRow>(text, where.values);
  }
}

/** Collects the conditions of the query and answers the tables they are about. */
function addAll(where: Conditions, query: GroupsQuery): string {
  const from = `${GROUP_FROM} ${askerSql(where.value(query.viewer?.id ?? null))}`;
  where.and('NOT g.pending_delete');
  addVisibility(where, query.viewer);
  addMembership(where, query);
  addFilters(where, query);
  return from;
}

/** Anonymous: public. Signed in: also internal (not for external users) and their own. */
function addVisibility(where: Conditions, viewer: Viewer | null): void {
  if (viewer === null) {
    where.and(`g.visibility = ${VISIBILITY.public}`);
    return;
  }
  if (viewer.admin) return;
  const open = viewer.external ? VISIBILITY.public : VISIBILITY.internal;
  const own = authorizedNamespacesSql('asker.id', String(ROLES.guest));
  where.and(`g.visibility >= ${open} OR g.id IN (${own})`);
}

/** Filters about the asker; anonymous belongs nowhere. */
function addMembership(where: Conditions, { filters }: GroupsQuery): void {
  const wantsOwn = filters.all_available === false;
  const level = Math.max(
    filters.owned === true ? ROLES.owner : 0,
    filters.min_access_level ?? 0,
    wantsOwn ? ROLES.guest : 0,
  );
  if (level === 0) return;
  where.and(`g.id IN (${authorizedNamespacesSql('asker.id', where.value(level))})`);
}

/** Answers the placeholder of the search pattern, which ordering by similarity uses again. */
function addSearch(where: Conditions, { search }: ListGroupsDto): string | null {
  if (!search) return null;
  const pattern = where.value(containsPattern(search));
  where.and(`n.name ILIKE ${pattern} OR n.path ILIKE ${pattern}`);
  return pattern;
}

function addFilters(where: Conditions, { filters, viewer, parentId }: GroupsQuery): void {
  if (parentId !== undefined) where.and(`n.parent_id = ${where.value(parentId)}`);
  if (filters.top_level_only === true) where.and('n.parent_id IS NULL');
  if (filters.skip_groups?.length) {
    where.and(`g.id <> ALL(${where.value(filters.skip_groups)}::bigint[])`);
  }
  if (filters.visibility)
    where.and(`g.visibility = ${where.value(VISIBILITY[filters.visibility])}`);
  if (filters.repository_storage && viewer?.admin === true) {
    where.and(`g.repository_storage = ${where.value(filters.repository_storage)}`);
  }
}

function order(filters: ListGroupsDto, pattern: string | null): string {
  const direction = filters.sort === 'desc' ? 'DESC' : 'ASC';
  const tie = `g.id ${direction}`;
  if (filters.order_by === 'id') return tie;
  if (filters.order_by === 'path') return `n.path ${direction}, ${tie}`;
  if (filters.order_by === 'similarity' && pattern !== null) {
    return `${similaritySql(pattern, ['n.path', 'n.name'])}, n.name, g.id`;
  }
  return `n.name ${direction}, ${tie}`;
}
