/** A namespace with the visibility and deletion mark of its group. */
export const LOCKED_SQL = `
  SELECT n.id, n.kind, n.parent_id AS "parentId", n.owner_id AS "ownerId",
    n.path, n.name, n.full_path AS "fullPath", n.full_name AS "fullName",
    n.traversal_ids AS "traversalIds", g.visibility,
    coalesce(g.pending_delete, false) AS "pendingDelete"
  FROM namespaces n LEFT JOIN groups g ON g.id = n.id WHERE n.id = $1`;

/** A row for each project or subgroup of a namespace with that path. */
export const PATH_TAKEN_SQL = `
  SELECT 1 FROM projects WHERE namespace_id = $1 AND lower(path) = lower($2)
  UNION ALL
  SELECT 1 FROM namespaces WHERE parent_id = $1 AND lower(path) = lower($2)`;

/** Inserts the namespace of a group. */
export const INSERT_GROUP_SQL = `
  WITH new AS (SELECT nextval(pg_get_serial_sequence('namespaces', 'id')) AS id)
  INSERT INTO namespaces (id, kind, parent_id, name, path, full_path, full_name, traversal_ids)
  SELECT id, 'group', $1, $2, $3, $4, $5, $6::bigint[] || id FROM new RETURNING id`;

/** Rewrites the paths, names and ancestors of a group and of all below it. */
export const MOVE_SQL = `
  UPDATE namespaces SET
    full_path = $2::text || substr(full_path, length($3::text) + 1),
    full_name = $4::text || substr(full_name, length($5::text) + 1),
    traversal_ids = $6::bigint[] || traversal_ids[array_position(traversal_ids, $1::bigint):],
    parent_id = CASE WHEN id = $1 THEN $7::bigint ELSE parent_id END,
    path = CASE WHEN id = $1 THEN $8::text ELSE path END,
    name = CASE WHEN id = $1 THEN $9::text ELSE name END,
    updated_at = now()
  WHERE traversal_ids @> ARRAY[$1]::bigint[]`;

/** The depth of the deepest group below a group, itself included. */
export const DEEPEST_SQL = `
  SELECT max(cardinality(traversal_ids)) AS deepest FROM namespaces
  WHERE traversal_ids @> ARRAY[$1]::bigint[]`;

const BELOW = 'SELECT id FROM namespaces WHERE traversal_ids @> ARRAY[$1]::bigint[]';
const PROJECTS_BELOW = `SELECT id FROM projects WHERE namespace_id IN (${BELOW})`;
const ACTIVE_MOVE = `state IN ('initial', 'scheduled', 'started', 'replicated')`;

/** Hides a group and all below it, in this order. */
export const HIDE_GROUP_SQLS = [
  `SELECT 1 FROM namespaces WHERE id IN (${BELOW}) FOR NO KEY UPDATE`,
  `UPDATE groups SET pending_delete = true WHERE id IN (${BELOW})`,
  `UPDATE projects SET pending_delete = true, updated_at = now() WHERE namespace_id IN (${BELOW})`,
  'UPDATE namespaces SET updated_at = now() WHERE id = $1',
];

/** The kinds of containers in a group whose repositories are being moved. */
export const MOVING_SQL = `
  SELECT EXISTS (SELECT 1 FROM group_repository_storage_moves
                 WHERE ${ACTIVE_MOVE} AND group_id IN (${BELOW})) AS groups,
    EXISTS (SELECT 1 FROM project_repository_storage_moves
            WHERE ${ACTIVE_MOVE} AND project_id IN (${PROJECTS_BELOW})) AS projects,
    EXISTS (SELECT 1 FROM snippet_repository_storage_moves JOIN snippets s ON s.id = snippet_id
            WHERE ${ACTIVE_MOVE} AND s.project_id IN (${PROJECTS_BELOW})) AS snippets`;
