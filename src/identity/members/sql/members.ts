import { Conditions, containsPattern } from '../../../core/sql/conditions.js';
import { rowVersion, type VersionedQuery } from '../../../core/sql/json-pages.service.js';
import { isUnfiltered } from '../../../core/sql/list-query.js';
import { optionalUserSql } from '../../users/sql/user-list.js';
import { ACTIVE_MEMBERSHIP, SOURCE_COLUMNS, type MemberSource } from '../member-source.js';
import type { ListMembersDto } from '../member.dto.js';
import { ROLES } from '../roles.js';

type SourceKind = MemberSource['kind'];

/** Memberships of a listing: only those of the source, or those of its ancestors as well. */
export type MemberReach = 'direct' | 'all';

/** Columns of a MemberRow. */
export const MEMBER_COLUMNS = `u.id, u.username, u.name, u.state, u.avatar,
  m.access_level AS "accessLevel", m.created_at AS "createdAt", m.expires_at AS "expiresAt",
  ${optionalUserSql('c')} AS creator,
  m.namespace_id AS "groupId", source.full_path AS "groupPath", source.full_name AS "groupName"`;

/** The tables of MEMBER_COLUMNS beside the memberships. */
export const MEMBER_JOINS = `JOIN users u ON u.id = m.user_id
  LEFT JOIN users c ON c.id = m.created_by_id LEFT JOIN namespaces source ON source.id = m.namespace_id`;

/** A listing of members. */
export interface MembersQuery {
  reach: MemberReach;
  filters: ListMembersDto;
}

/** Returns the statement of a listing. */
export function membersStatement(
  source: MemberSource,
  { reach, filters }: MembersQuery,
): VersionedQuery {
  const where = new Conditions();
  const memberships = membershipsFrom(source, reach, where);
  const { query: search, user_ids: ids, skip_users: skipped } = filters;
  if (search) {
    const pattern = where.value(containsPattern(search));
    where.and(`found.name ILIKE ${pattern} OR found.username ILIKE ${pattern}`);
  }
  if (ids?.length) where.and(`m.user_id = ANY(${where.value(ids)}::bigint[])`);
  if (skipped?.length) where.and(`m.user_id <> ALL(${where.value(skipped)}::bigint[])`);
  return {
    id: 'm.id',
    select: MEMBER_COLUMNS,
    version: rowVersion('m', 'u', 'c'),
    fresh: '',
    // Every membership has its user, so that only a search needs them to count.
    from: search ? `${memberships} JOIN users found ON found.id = m.user_id` : memberships,
    joins: MEMBER_JOINS,
    // The highest of a user's memberships is known only after all are found and sorted.
    ...(reach === 'all' && { windowAlias: 'm' }),
    where: String(where),
    orderBy: 'm.user_id',
    values: where.values,
    isWhole: isUnfiltered(filters),
  };
}

/** Adds the conditions of a listing; returns its FROM part, active memberships with the alias `m`. */
export function membershipsFrom(
  source: MemberSource,
  reach: MemberReach,
  where: Conditions,
): string {
  if (reach === 'direct') {
    where.and(`m.${SOURCE_COLUMNS[source.kind]} = ${where.value(source.id)}`);
    where.and(ACTIVE_MEMBERSHIP);
    return 'members m';
  }
  const own = `m.${SOURCE_COLUMNS[source.kind]} = ${where.value(source.id)}`;
  // An array, since a subselect beside another condition would read the members of all containers.
  const inherited = `m.namespace_id = ANY(ARRAY(SELECT unnest(traversal_ids) FROM namespaces WHERE id = ${where.value(source.namespaceId)}))`;
  return `(SELECT DISTINCT ON (m.user_id) m.*, m.xmin FROM members m
    WHERE (${inherited} OR ${own}) AND ${ACTIVE_MEMBERSHIP}
    ORDER BY m.user_id, m.access_level DESC, (${own}) DESC NULLS LAST, m.id DESC) m`;
}

/** Returns the statement that inserts a membership, or takes over one that has expired. */
export const insertSql = (kind: SourceKind): string => {
  const column = SOURCE_COLUMNS[kind];
  return `
    INSERT INTO members AS m (${column}, user_id, access_level, expires_at, created_by_id)
    VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (${column}, user_id) DO UPDATE SET access_level = EXCLUDED.access_level,
      expires_at = EXCLUDED.expires_at, created_by_id = EXCLUDED.created_by_id,
      created_at = now(), updated_at = now()
    WHERE m.expires_at <= (now() AT TIME ZONE 'UTC')::date
    RETURNING m.id`;
};

/** The highest level that a user has through the groups above a namespace, or through it as well. */
export const INHERITED_SQL = `
  SELECT m.access_level AS level, above.full_name AS "groupName"
  FROM namespaces n
  JOIN namespaces above ON above.id = ANY(n.traversal_ids) AND (above.id <> n.id OR $3)
  JOIN members m ON m.namespace_id = above.id AND m.user_id = $2 AND ${ACTIVE_MEMBERSHIP}
  WHERE n.id = $1
  ORDER BY m.access_level DESC, cardinality(above.traversal_ids) DESC LIMIT 1`;

/** The owners of a group and of the groups above it, without bots. */
export const OWNERS_SQL = `
  SELECT m.user_id AS "userId", m.namespace_id = $1 AS direct, m.expires_at IS NULL AS stays
  FROM members m JOIN users u ON u.id = m.user_id AND u.user_type <> 'project_bot'
  WHERE m.namespace_id IN (SELECT unnest(traversal_ids) FROM namespaces WHERE id = $1)
    AND m.access_level >= ${ROLES.owner} AND ${ACTIVE_MEMBERSHIP}`;

/**
 * Returns the statement that distinguishes bots of another project or group from all other users.
 */
export const joiningSql = (kind: SourceKind): string => `
  SELECT u.user_type = 'project_bot' AND NOT EXISTS (
    SELECT 1 FROM access_tokens t WHERE t.user_id = u.id AND t.${kind}_id = $2
  ) AS "isForeignBot"
  FROM users u WHERE u.id = $1`;

/** Deletes the memberships of a user in a group, in all groups below it and in their projects. */
export const DELETE_BELOW_SQL = `
  WITH below AS (SELECT id FROM namespaces WHERE traversal_ids @> ARRAY[$1]::bigint[])
  DELETE FROM members WHERE user_id = $2
    AND (namespace_id IN (SELECT id FROM below)
      OR project_id IN (SELECT id FROM projects
                        WHERE namespace_id IN (SELECT id FROM below)))
  RETURNING namespace_id AS "namespaceId", project_id AS "projectId",
    access_level AS "accessLevel", expires_at AS "expiresAt"`;

/** Expired memberships of one transaction. */
export const EXPIRED_BATCH = 500;

const TODAY_SQL = `(now() AT TIME ZONE 'UTC')::date`;

/**
 * The last owner of a group stays on its list, though without rights, so that an administrator can
 * find a contact, or restore the group to them.
 */
const IS_LAST_OWNER_SQL = `
  m.namespace_id IS NOT NULL AND m.access_level >= ${ROLES.owner} AND NOT EXISTS (
    SELECT FROM members o JOIN users u ON u.id = o.user_id AND u.user_type <> 'project_bot'
    WHERE o.namespace_id = ANY(ARRAY(SELECT unnest(n.traversal_ids) FROM namespaces n
        WHERE n.id = m.namespace_id))
      AND o.access_level >= ${ROLES.owner}
      AND (o.expires_at IS NULL OR o.expires_at > ${TODAY_SQL}))`;

/** Deletes a batch of expired memberships; one that is being renewed right now stays. */
export const DELETE_EXPIRED_SQL = `
  DELETE FROM members WHERE id = ANY(ARRAY(
    SELECT m.id FROM members m
    WHERE m.expires_at <= ${TODAY_SQL} AND NOT (${IS_LAST_OWNER_SQL})
    ORDER BY m.id LIMIT ${EXPIRED_BATCH} FOR UPDATE OF m SKIP LOCKED))
  RETURNING user_id AS "userId", namespace_id AS "groupId", project_id AS "projectId",
    access_level AS "accessLevel", expires_at AS "expiresAt"`;
