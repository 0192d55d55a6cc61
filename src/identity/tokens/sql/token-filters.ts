import { Conditions, containsPattern } from '../../../core/sql/conditions.js';
import type { TokenKind } from '../access-token.entity.js';
import type { TokenFiltersDto, TokenSort } from '../token.dto.js';

/** The tokens that an endpoint is about at all, before any filter. */
export interface TokenRange {
  kinds: readonly TokenKind[];
  userId?: number;
  projectId?: number;
  groupId?: number;
}

/** Tokens without expiry sort after every date, tokens without a use before every date. */
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

/** Returns the ORDER BY of a list; by id without a sort. */
export function tokenOrder({ sort }: TokenFiltersDto): string {
  return sort ? ORDERS[sort] : 't.id ASC';
}

/** Returns the conditions of the tokens of the range that match every filter; `t` is the token. */
export function tokenConditions(
  range: TokenRange,
  filters: TokenFiltersDto,
  now: Date,
): Conditions {
  const where = inRange(range);
  addState(where, filters, now);
  addTimes(where, filters);
  if (filters.search) where.and(`t.name ILIKE ${where.value(containsPattern(filters.search))}`);
  return where;
}

/** Returns the conditions of the range alone. */
export function inRange({ kinds, userId, projectId, groupId }: TokenRange): Conditions {
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
