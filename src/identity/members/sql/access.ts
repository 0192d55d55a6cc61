import { ACTIVE_MEMBERSHIP } from '../member-source.js';
import { NO_ACCESS, ROLES } from '../roles.js';

/**
 * Returns a SQL expression for the effective level of user `$user` in a container: the maximum of direct and inherited
 * memberships that have not expired; the owner of a user namespace counts as Owner.
 *
 * `namespace` is the alias of the joined namespaces row, `project` an SQL expression for the
 * project's id (`NULL` for groups), `user` a placeholder.
 */
export function accessLevelSql(user: string, namespace: string, project: string): string {
  return `greatest(
    CASE WHEN ${namespace}.owner_id = ${user} THEN ${ROLES.owner} ELSE ${NO_ACCESS} END,
    (SELECT coalesce(max(m.access_level), ${NO_ACCESS}) FROM members m
     WHERE m.user_id = ${user}
       AND (m.namespace_id = ANY(${namespace}.traversal_ids) OR m.project_id = ${project})
       AND (m.expires_at IS NULL OR m.expires_at > (now() AT TIME ZONE 'UTC')::date)))`;
}

/**
 * Returns a FROM part that names the viewer `viewer.id` (null = anonymous): the count of a list can
 * use it nowhere else, and PostgreSQL refuses parameters that a statement does not mention.
 */
export function viewerSql(user: string): string {
  return `CROSS JOIN (SELECT ${user}::bigint AS id) viewer`;
}

/**
 * Returns a SQL select of the ids of the namespaces in which the user has at least `level`, directly or
 * through a group above. The function declares that it finds few, as they are for nearly all users.
 */
export function authorizedNamespacesSql(user: string, level: string): string {
  return `SELECT authorized_namespaces(${user}, ${level}) AS id`;
}

/**
 * Returns the same as a condition for rows of namespaces at the alias, which takes no longer for a
 * group with thousands of others below it.
 */
export function authorizedNamespaceSql(alias: string, user: string, level: string): string {
  return `${alias}.traversal_ids && ARRAY(SELECT m.namespace_id FROM members m
      WHERE m.user_id = ${user} AND m.access_level >= ${level} AND ${ACTIVE_MEMBERSHIP}
        AND m.namespace_id IS NOT NULL)`;
}

/** Returns a SQL select of the ids of the projects in which the user has at least `level` directly. */
export function directProjectsSql(user: string, level: string): string {
  return `SELECT m.project_id AS id FROM members m
      WHERE m.user_id = ${user} AND m.access_level >= ${level} AND ${ACTIVE_MEMBERSHIP}
        AND m.project_id IS NOT NULL`;
}

/**
 * Returns a SQL select of the ids of the projects in which the user has at least `level` (at most
 * Owner), some of them several times. It begins with the memberships and reads no other projects.
 */
export function ownProjectsSql(user: string, level: string): string {
  return `${directProjectsSql(user, level)}
    UNION ALL SELECT b.id FROM projects b
      WHERE b.namespace_id = (SELECT own.id FROM namespaces own WHERE own.owner_id = ${user})
    UNION ALL SELECT b.id FROM (${authorizedNamespacesSql(user, level)}) authorized
      JOIN projects b ON b.namespace_id = authorized.id`;
}

/**
 * Returns a SQL condition: the user has at least `level` in project `p` (at most Owner, so that owning the
 * namespace always suffices). It looks at no column but of `p`: a condition over two tables would
 * keep lists from walking the index of their order until the page is full.
 */
export function authorizedProjectSql(user: string, level: string): string {
  return `p.namespace_id = (SELECT own.id FROM namespaces own WHERE own.owner_id = ${user})
    OR p.namespace_id IN (${authorizedNamespacesSql(user, level)})
    OR p.id IN (${directProjectsSql(user, level)})`;
}
