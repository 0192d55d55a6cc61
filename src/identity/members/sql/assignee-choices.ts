import { ACTIVE_MEMBERSHIP } from '../member-source.js';
import { accessLevelSql } from './access.js';

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

/**
 * People, not bots, among the members. $1 = project, $2 = namespace, $3 = lowest role. Each kind of
 * membership by its own index: joined with OR they would read all memberships per user.
 */
export const CANDIDATES_SQL = `WITH readers AS MATERIALIZED (
    SELECT m.user_id FROM members m
    WHERE m.project_id = $1 AND m.access_level >= $3 AND ${ACTIVE_MEMBERSHIP}
    UNION SELECT m.user_id FROM namespaces n CROSS JOIN unnest(n.traversal_ids) AS ancestor (id)
    JOIN members m ON m.namespace_id = ancestor.id
    WHERE n.id = $2 AND m.access_level >= $3 AND ${ACTIVE_MEMBERSHIP}
    UNION SELECT owner_id FROM namespaces WHERE id = $2 AND owner_id IS NOT NULL)
  SELECT u.id, u.username, u.name FROM readers r JOIN users u ON u.id = r.user_id
  WHERE u.state = 'active' AND u.user_type = 'human'
  ORDER BY lower(u.name), u.id LIMIT ${MAX_CANDIDATES}`;
