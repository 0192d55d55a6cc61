import {
  authorizedNamespacesSql,
  authorizedProjectSql,
} from '../../identity/members/sql/access.js';
import { ROLES } from '../../identity/members/roles.js';
import { NOTIFICATION_LEVELS } from '../../workspace/subscriptions/notification-levels.js';

const GUEST = String(ROLES.guest);

/** Rows `s` with a level of the user $1. */
const HAS_LEVEL = `s.user_id = $1 AND s.level <> ${NOTIFICATION_LEVELS.global}`;

/**
 * Groups and projects of the user $1: those they are a member of, and those with a setting of theirs
 * that they can still see; $2 is the lowest visibility that is open to them.
 */
export const PLACES_SQL = `
  SELECT 'group' AS kind, g.id, n.full_path AS path, n.full_name AS name,
    array_remove(n.traversal_ids, g.id) AS above
  FROM groups g JOIN namespaces n ON n.id = g.id
  WHERE NOT g.pending_delete AND (g.id IN (${authorizedNamespacesSql('$1', GUEST)})
    OR g.visibility >= $2::int AND g.id IN (
      SELECT s.namespace_id FROM notification_settings s WHERE s.user_id = $1))
  UNION ALL
  SELECT 'project', p.id, n.full_path || '/' || p.path, n.full_name || ' / ' || p.name,
    n.traversal_ids
  FROM projects p JOIN namespaces n ON n.id = p.namespace_id
  WHERE NOT p.pending_delete AND (${authorizedProjectSql('$1', GUEST)}
    OR p.visibility >= $2::int AND p.id IN (
      SELECT s.project_id FROM notification_settings s WHERE s.user_id = $1))`;

export const LEVEL_SQL = `coalesce((SELECT s.level FROM notification_settings s
  WHERE s.user_id = $1 AND CASE place.kind WHEN 'group' THEN s.namespace_id ELSE s.project_id END
    = place.id), ${NOTIFICATION_LEVELS.global})`;

export const LEVEL_ABOVE_SQL = `(SELECT s.level FROM notification_settings s
  JOIN namespaces a ON a.id = s.namespace_id
  WHERE ${HAS_LEVEL} AND s.namespace_id = ANY(place.above)
  ORDER BY cardinality(a.traversal_ids) DESC LIMIT 1)`;
