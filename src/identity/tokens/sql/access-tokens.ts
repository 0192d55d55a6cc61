import type { Credential } from '../../../core/access/auth-context.js';
import { Conditions, containsPattern } from '../../../core/sql/conditions.js';
import type { UserState, UserType } from '../../users/user.entity.js';
import type { TokenKind } from '../access-token.entity.js';
import type { TokenFiltersDto, TokenSort } from '../token.dto.js';

/** Columns of TokenDetails; `t` is the token's row. */
export const TOKEN_COLUMNS = `
  t.id, t.kind, t.user_id AS "userId", t.name, t.description, t.scopes,
  t.expires_at AS "expiresAt", t.revoked_at AS "revokedAt", t.last_used_at AS "lastUsedAt",
  t.project_id AS "projectId", t.group_id AS "groupId", t.family_id AS "familyId",
  t.previous_id AS "previousId", t.created_at AS "createdAt", t.updated_at AS "updatedAt",
  ARRAY(SELECT host(i.ip) FROM access_token_ips i WHERE i.token_id = t.id
        ORDER BY i.seen_at DESC, i.ip LIMIT 5) AS "lastUsedIps",
  (SELECT m.access_level FROM members m
   WHERE m.user_id = t.user_id AND t.kind IN ('project', 'group')
     AND (m.project_id = t.project_id OR m.namespace_id = t.group_id)) AS "accessLevel"`;

/** The user before the token: deleting one locks the user before the tokens. */
export const LOCK_OWNER_OF_TOKEN_SQL = `SELECT 1 FROM users WHERE id =
       (SELECT user_id FROM access_tokens WHERE id = $1) FOR KEY SHARE`;

/** Locks the first token of the family, which stands for all of it. */
export const LOCK_FAMILY_SQL = `SELECT 1 FROM access_tokens WHERE id =
       (SELECT coalesce(family_id, id) FROM access_tokens WHERE id = $1) FOR NO KEY UPDATE`;

export const REVOKE_JOB_TOKENS_SQL = `UPDATE access_tokens SET revoked_at = $2, updated_at = $2
       WHERE family_id = $1 AND kind = 'job' AND revoked_at IS NULL AND expires_at > $2
       RETURNING id, digest`;

export const REVOKE_FAMILY_SQL = `UPDATE access_tokens SET revoked_at = $2, updated_at = $2
       WHERE (id = $1 OR family_id = $1) AND revoked_at IS NULL
         AND (expires_at IS NULL OR expires_at > $2)
       RETURNING id, digest`;

/** Skips rows that another process is writing: it writes the same. Always in order of the id. */
export const RECORD_USE_SQL = `
  WITH used AS (
    SELECT id, user_id FROM access_tokens
    WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
  ), noted AS (
    UPDATE access_tokens t SET last_used_at = $2 FROM used
    WHERE t.id = used.id AND (t.last_used_at IS NULL OR t.last_used_at < $3)
  ), active AS (
    SELECT u.id FROM users u
    WHERE u.id IN (SELECT user_id FROM used)
      AND u.last_activity_on IS DISTINCT FROM ($2::timestamptz AT TIME ZONE 'UTC')::date
    ORDER BY u.id FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE users u SET last_activity_on = ($2::timestamptz AT TIME ZONE 'UTC')::date
  FROM active WHERE u.id = active.id`;

/**
 * One address per token; the token's row is the lock under which the five newest stay. Tokens of
 * which another process recorded an address within the minute are left alone.
 */
export const RECORD_ADDRESSES_SQL = `
  WITH used AS (
    SELECT id FROM access_tokens
    WHERE id = ANY($1::bigint[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
  ), seen AS (
    SELECT s.id, s.ip FROM unnest($1::bigint[], $2::inet[]) AS s (id, ip) JOIN used USING (id)
    WHERE NOT EXISTS (
      SELECT 1 FROM access_token_ips r WHERE r.token_id = s.id AND r.seen_at > $4)
  ), dropped AS (
    DELETE FROM access_token_ips old USING seen
    WHERE old.token_id = seen.id AND old.ip <> seen.ip AND 4 <= (
      SELECT count(*) FROM access_token_ips newer
      WHERE newer.token_id = seen.id AND newer.ip <> seen.ip
        AND (newer.seen_at, newer.ip) > (old.seen_at, old.ip))
  )
  INSERT INTO access_token_ips (token_id, ip, seen_at) SELECT id, ip, $3 FROM seen
  ON CONFLICT (token_id, ip) DO UPDATE SET seen_at = excluded.seen_at`;

/** A row of CREDENTIAL_SQL. */
export interface CredentialRow {
  token_id: number;
  kind: TokenKind;
  scopes: string[];
  expires_at: Date | null;
  revoked_at: Date | null;
  project_id: number | null;
  created_at: Date;
  application_uid: string | null;
  user_id: number;
  username: string;
  name: string;
  email: string;
  avatar: string | null;
  admin: boolean;
  external: boolean;
  state: UserState;
  user_type: UserType;
  confirmed: boolean;
}

/**
 * Finds a token of any kind and state with its user by the digest ($1). The trigger `users_changed`
 * compares the columns of the user that are read here.
 */
export const CREDENTIAL_SQL = `
  SELECT t.id AS token_id, t.kind, t.scopes, t.expires_at, t.revoked_at, t.project_id,
         t.created_at, a.uid AS application_uid,
         u.id AS user_id, u.username, u.name, u.email, u.avatar, u.admin, u.external, u.state,
         u.user_type,
         u.confirmed_at IS NOT NULL AS confirmed
  FROM access_tokens t JOIN users u ON u.id = t.user_id
  LEFT JOIN oauth_applications a ON a.id = t.application_id
  WHERE t.digest = $1`;

/** Returns the credential of a row. */
export function toCredential(row: CredentialRow): Credential {
  return {
    tokenId: row.token_id,
    kind: row.kind,
    scopes: row.scopes,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    projectId: row.project_id,
    applicationUid: row.application_uid,
    createdAt: row.created_at,
    user: {
      id: row.user_id,
      username: row.username,
      name: row.name,
      email: row.email,
      avatar: row.avatar,
      admin: row.admin,
      external: row.external,
      state: row.state,
      userType: row.user_type,
      confirmed: row.confirmed,
    },
  };
}

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
