import { ACTIVE_MEMBERSHIP } from './member-source.js';

/**
 * FROM part that names the asker `asker.id` (null = nobody): the count of a list may use the asker
 * nowhere else, and PostgreSQL refuses parameters that a statement does not mention.
 */
export function askerSql(user: string): string {
  return `CROSS JOIN (SELECT ${user}::bigint AS id) asker`;
}

/**
 * SQL subselect: ids of the namespaces in which the user has at least `level`, directly or through
 * a group above. It does not depend on the outer row, so PostgreSQL runs it once per statement.
 */
export function authorizedNamespacesSql(user: string, level: string): string {
  return `SELECT below.id FROM namespaces below
    WHERE below.traversal_ids && ARRAY(SELECT m.namespace_id FROM members m
      WHERE m.user_id = ${user} AND m.access_level >= ${level} AND ${ACTIVE_MEMBERSHIP}
        AND m.namespace_id IS NOT NULL)`;
}

/**
 * SQL condition: the user has at least `level` in project `p` (at most Owner, so that owning the
 * namespace always suffices). It looks at no column but of `p`: a condition over two tables would
 * keep lists from walking the index of their order until the page is full.
 */
export function authorizedProjectSql(user: string, level: string): string {
  return `p.namespace_id = (SELECT own.id FROM namespaces own WHERE own.owner_id = ${user})
    OR p.namespace_id IN (${authorizedNamespacesSql(user, level)})
    OR p.id IN (SELECT m.project_id FROM members m
      WHERE m.user_id = ${user} AND m.access_level >= ${level} AND ${ACTIVE_MEMBERSHIP}
        AND m.project_id IS NOT NULL)`;
}
