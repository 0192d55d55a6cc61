import { ROLES } from '../../identity/members/roles.js';
import { authorizedNamespacesSql, directProjectsSql } from '../../identity/members/sql/access.js';

const GUEST = String(ROLES.guest);

/**
 * Groups and projects of the user $1: those they are a member of, and those with a setting of theirs
 * that they can still see; $2 is the lowest visibility that is open to them. Most projects of users
 * with many come from whole namespaces, by which they are read. With the LIMIT of a page in the
 * order of `lower(path)` only the first namespaces are: what is in others comes behind as many groups.
 */
export function containersSql(top: string): string {
  return `
  WITH whole AS MATERIALIZED (SELECT n.id, lower(n.full_path) AS place
    FROM (${authorizedNamespacesSql('$1', GUEST)}
      UNION SELECT own.id FROM namespaces own WHERE own.owner_id = $1) found
    JOIN namespaces n ON n.id = found.id),
  first AS MATERIALIZED (SELECT n.* FROM whole JOIN namespaces n ON n.id = whole.id
    ${top === '' ? '' : `WHERE coalesce(whole.place <= (${placeBehindSql(top)}), true)`})
  SELECT 'group' AS kind, g.id, n.full_path AS path, n.full_name AS name,
    array_remove(n.traversal_ids, g.id) AS above
  FROM groups g JOIN first n ON n.id = g.id WHERE NOT g.pending_delete
  UNION ALL
  SELECT 'group', g.id, n.full_path, n.full_name, array_remove(n.traversal_ids, g.id)
  FROM groups g JOIN namespaces n ON n.id = g.id
  WHERE NOT g.pending_delete AND NOT EXISTS (SELECT FROM whole WHERE whole.id = g.id)
    AND g.id = ANY(ARRAY(SELECT s.namespace_id FROM notification_settings s
      JOIN groups o ON o.id = s.namespace_id WHERE s.user_id = $1 AND o.visibility >= $2::int))
  UNION ALL
  SELECT 'project', p.id, n.full_path || '/' || p.path, n.full_name || ' / ' || p.name,
    n.traversal_ids
  FROM first n JOIN projects p ON p.namespace_id = n.id WHERE NOT p.pending_delete
  UNION ALL
  SELECT 'project', p.id, n.full_path || '/' || p.path, n.full_name || ' / ' || p.name,
    n.traversal_ids
  FROM projects p JOIN namespaces n ON n.id = p.namespace_id
  WHERE NOT p.pending_delete AND NOT EXISTS (SELECT FROM whole WHERE whole.id = p.namespace_id)
    AND p.id = ANY(ARRAY(${directProjectsSql('$1', GUEST)}
    UNION ALL SELECT s.project_id FROM notification_settings s
      JOIN projects o ON o.id = s.project_id WHERE s.user_id = $1 AND o.visibility >= $2::int))`;
}

/** Returns the path of the group behind as many as suffice; there is no row if no more are left. */
function placeBehindSql(top: string): string {
  const limit = top.slice(top.lastIndexOf('LIMIT') + 'LIMIT'.length);
  return `SELECT whole.place FROM whole JOIN groups g ON g.id = whole.id WHERE NOT g.pending_delete
    ORDER BY whole.place OFFSET ${limit} LIMIT 1`;
}
