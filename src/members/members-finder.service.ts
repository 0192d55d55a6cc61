import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../core/errors.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { Conditions, containsPattern } from '../core/sql/conditions.js';
import { Sql } from '../core/sql/sql.service.js';
import { optionalUserSql } from '../users/sql/user-list.js';
import type { ListMembersDto } from './dto/list-members.dto.js';
import { ACTIVE_MEMBERSHIP, SOURCE_COLUMNS, type MemberSource } from './member-source.js';
import type { MemberRow } from './member.presenter.js';

const SELECT = `u.id, u.username, u.name, u.state, u.avatar,
  m.access_level AS "accessLevel", m.created_at AS "createdAt", m.expires_at AS "expiresAt",
  ${optionalUserSql('c')} AS creator`;
const JOINED = 'JOIN users u ON u.id = m.user_id LEFT JOIN users c ON c.id = m.created_by_id';

/** Which memberships a listing is made of: the source's own, or those of its ancestors too. */
export type MemberReach = 'direct' | 'all';

/** Reads memberships that have not expired. */
@Injectable()
export class MembersFinder {
  constructor(private readonly sql: Sql) {}

  /** Members in order of their user id; with reach `all` each once, with the highest level. */
  list(
    source: MemberSource,
    query: { reach: MemberReach; filters: ListMembersDto },
    paging: Paging,
  ): Promise<Page<MemberRow>> {
    const where = new Conditions();
    const from = `${membershipsOf(source, query.reach, where)} ${JOINED}`;
    const { query: search, user_ids: ids, skip_users: skipped } = query.filters;
    if (search) {
      const pattern = where.value(containsPattern(search));
      where.and(`u.name ILIKE ${pattern} OR u.username ILIKE ${pattern}`);
    }
    if (ids?.length) where.and(`m.user_id = ANY(${where.value(ids)}::bigint[])`);
    if (skipped?.length) where.and(`m.user_id <> ALL(${where.value(skipped)}::bigint[])`);
    return this.sql.page<MemberRow>(
      { select: SELECT, from, where: String(where), orderBy: 'm.user_id', values: where.values },
      paging,
    );
  }

  /** Throws 404 when the user has no such membership. */
  async get(source: MemberSource, reach: MemberReach, userId: number): Promise<MemberRow> {
    const where = new Conditions();
    const from = `${membershipsOf(source, reach, where)} ${JOINED}`;
    where.and(`m.user_id = ${where.value(userId)}`);
    const text = `SELECT ${SELECT} FROM ${from} WHERE ${String(where)}`;
    const row = await this.sql.row<MemberRow>(text, where.values);
    if (row === null) throw new NotFoundError();
    return row;
  }
}

function membershipsOf(source: MemberSource, reach: MemberReach, where: Conditions): string {
  if (reach === 'direct') {
    where.and(`m.${SOURCE_COLUMNS[source.kind]} = ${where.value(source.id)}`);
    where.and(ACTIVE_MEMBERSHIP);
    return 'members m';
  }
  const inherited = `m.namespace_id IN (SELECT unnest(traversal_ids) FROM namespaces WHERE id = ${where.value(source.namespaceId)})`;
  const reached =
    source.kind === 'group'
      ? inherited
      : `${inherited} OR m.project_id = ${where.value(source.id)}`;
  return `(SELECT DISTINCT ON (m.user_id) m.* FROM members m
    WHERE (${reached}) AND ${ACTIVE_MEMBERSHIP}
    ORDER BY m.user_id, m.access_level DESC, m.project_id NULLS LAST, m.id DESC) m`;
}
