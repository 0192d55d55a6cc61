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

/**
 * The user if alerts or errors can be assigned to them. $1 = project, $2 = user ID, $3 = username,
 * $4 = lowest role that can read them. Blocked people read nothing; administrators read everything.
 */
export const ASSIGNEE_SQL = `
  SELECT u.id, u.username FROM users u, projects p JOIN namespaces n ON n.id = p.namespace_id
  WHERE p.id = $1 AND (u.id = $2 OR lower(u.username) = lower($3)) AND u.state = 'active'
    AND (u.admin OR ${accessLevelSql('u.id', 'n', 'p.id')} >= $4::int)`;

/** A longer list is of no use for a choice. */
const MAX_CANDIDATES = 200;

/** People of a project or group among whom the choice is made: sorting all takes too long for a page. */
const MOST_READERS = 1_000;

const IS_PERSON = `u.state = 'active' AND u.user_type = 'human'`;

const READERS_SQL = (source: string): string => `
  (SELECT u.id, u.username, u.name FROM members m JOIN users u ON u.id = m.user_id
    WHERE ${source} AND m.access_level >= $3 AND ${ACTIVE_MEMBERSHIP} AND ${IS_PERSON}
    ORDER BY m.user_id LIMIT ${MOST_READERS})`;

/**
 * People, not bots, among the first members of the project and of each group above it. $1 = project,
 * $2 = namespace, $3 = lowest role. Each kind of membership by its own index: joined with OR they
 * would read all memberships per user.
 */
export const CANDIDATES_SQL = `WITH readers AS (
    ${READERS_SQL('m.project_id = $1')}
    UNION SELECT reader.* FROM namespaces n CROSS JOIN unnest(n.traversal_ids) AS ancestor (id)
    CROSS JOIN LATERAL ${READERS_SQL('m.namespace_id = ancestor.id')} reader WHERE n.id = $2
    UNION SELECT u.id, u.username, u.name FROM namespaces n JOIN users u ON u.id = n.owner_id
    WHERE n.id = $2 AND ${IS_PERSON})
  SELECT * FROM readers ORDER BY lower(name), id LIMIT ${MAX_CANDIDATES}`;
