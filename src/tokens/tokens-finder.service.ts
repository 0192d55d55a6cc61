import { Injectable } from '@nestjs/common';
import type { Viewer } from '../core/access/viewer.js';
import { Clock } from '../core/clock.js';
import { NotFoundError, UnauthorizedError } from '../core/errors.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { Conditions, containsPattern } from '../core/sql/conditions.js';
import { Sql } from '../core/sql/sql.service.js';
import type { TokenKind } from './access-token.entity.js';
import type { TokenFiltersDto, TokenSort } from './dto/list-tokens.dto.js';
import { MANAGED_KINDS, TOKEN_COLUMNS, type TokenDetails } from './token-details.js';

/** The tokens that an endpoint is about at all, before any filter. */
export interface TokenRange {
  kinds: readonly TokenKind[];
  userId?: number;
  projectId?: number;
  groupId?: number;
}

/** What users manage of their own; made to act as them is none of theirs. */
export const OWN_KINDS = MANAGED_KINDS.filter((kind) => kind !== 'impersonation');

/** What never happened or never will is the end of the order that it would be the last of. */
const ORDERS: Record<TokenSort, string> = {
  created_asc: 't.created_at ASC, t.id ASC',
  created_desc: 't.created_at DESC, t.id DESC',
  expires_asc: 't.expires_at ASC NULLS LAST, t.id ASC',
  expires_desc: 't.expires_at DESC NULLS FIRST, t.id DESC',
  last_used_asc: 't.last_used_at ASC NULLS FIRST, t.id ASC',
  last_used_desc: 't.last_used_at DESC NULLS LAST, t.id DESC',
  name_asc: 't.name ASC, t.id ASC',
  name_desc: 't.name DESC, t.id DESC',
};

/** Reads tokens for answers. */
@Injectable()
export class TokensFinder {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** Tokens of the range that match every filter. */
  list(range: TokenRange, filters: TokenFiltersDto, paging: Paging): Promise<Page<TokenDetails>> {
    const where = inRange(range);
    addState(where, filters, this.clock.now());
    addTimes(where, filters);
    if (filters.search) where.and(`t.name ILIKE ${where.value(containsPattern(filters.search))}`);
    return this.sql.page<TokenDetails>(
      {
        key: 't.id',
        select: TOKEN_COLUMNS,
        from: 'access_tokens t',
        where: where.toString(),
        orderBy: filters.sort ? ORDERS[filters.sort] : 't.id ASC',
        values: where.values,
      },
      paging,
    );
  }

  /** The token of the range or null. */
  find(id: number, range: TokenRange): Promise<TokenDetails | null> {
    const where = inRange(range);
    where.and(`t.id = ${where.value(id)}`);
    return this.sql.row<TokenDetails>(
      `SELECT ${TOKEN_COLUMNS} FROM access_tokens t WHERE ${where.toString()}`,
      where.values,
    );
  }

  /**
   * The token if the viewer manages it: administrators every token, others their own. Only
   * administrators learn by 404 that there is none, others get 401 for both.
   */
  async findManaged(id: number, viewer: Viewer): Promise<TokenDetails> {
    const range = viewer.admin ? { kinds: MANAGED_KINDS } : { kinds: OWN_KINDS, userId: viewer.id };
    const token = await this.find(id, range);
    if (token !== null) return token;
    throw viewer.admin ? new NotFoundError() : new UnauthorizedError();
  }

  /** Throws 404 unless there is such a user. */
  async assertUserExists(userId: number): Promise<void> {
    const user = await this.sql.row('SELECT 1 FROM users WHERE id = $1', [userId]);
    if (user === null) throw new NotFoundError('User');
  }
}

function inRange({ kinds, userId, projectId, groupId }: TokenRange): Conditions {
  const where = new Conditions();
  where.and(`t.kind = ANY(${where.value(kinds)})`);
  if (userId !== undefined) where.and(`t.user_id = ${where.value(userId)}`);
  if (projectId !== undefined) where.and(`t.project_id = ${where.value(projectId)}`);
  if (groupId !== undefined) where.and(`t.group_id = ${where.value(groupId)}`);
  return where;
}

function addState(where: Conditions, { revoked, state }: TokenFiltersDto, now: Date): void {
  if (typeof revoked === 'boolean') {
    where.and(revoked ? 't.revoked_at IS NOT NULL' : 't.revoked_at IS NULL');
  }
  if (!state) return;
  const moment = where.value(now);
  where.and(
    state === 'active'
      ? `t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > ${moment})`
      : `t.revoked_at IS NOT NULL OR t.expires_at <= ${moment}`,
  );
}

function addTimes(where: Conditions, filters: TokenFiltersDto): void {
  const bounds: [column: string, before?: Date | null, after?: Date | null][] = [
    ['t.created_at', filters.created_before, filters.created_after],
    ['t.last_used_at', filters.last_used_before, filters.last_used_after],
    ['t.expires_at', midnight(filters.expires_before), midnight(filters.expires_after)],
  ];
  for (const [column, before, after] of bounds) {
    if (before) where.and(`${column} < ${where.value(before)}`);
    if (after) where.and(`${column} > ${where.value(after)}`);
  }
}

function midnight(day: string | null | undefined): Date | null {
  return day ? new Date(`${day}T00:00:00Z`) : null;
}
