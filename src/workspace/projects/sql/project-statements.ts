import { countColumns, PROJECT_COLUMNS, PROJECT_FROM, projectJoins } from './project-columns.js';

const FIND = `SELECT ${PROJECT_COLUMNS} FROM ${PROJECT_FROM} ${projectJoins('$1::bigint')}
  WHERE NOT p.pending_delete AND `;

const BY_PATH = `p.namespace_id = (SELECT id FROM namespaces WHERE lower(full_path) = lower($2))
  AND lower(p.path) = lower($3)`;

/** Old paths: of the project itself, of its group, or of both one after the other. */
const REDIRECTED = `p.id = (
  WITH former AS (
    SELECT n.id, n.full_path FROM route_redirects r JOIN namespaces n ON n.id = r.namespace_id
    WHERE lower(r.path) = lower($2))
  SELECT project_id FROM route_redirects
    WHERE lower(path) = lower($2 || '/' || $3) AND project_id IS NOT NULL
  UNION ALL
  SELECT p.id FROM former JOIN projects p ON p.namespace_id = former.id AND lower(p.path) = lower($3)
  UNION ALL
  SELECT r.project_id FROM former
    JOIN route_redirects r ON lower(r.path) = lower(former.full_path || '/' || $3)
    WHERE r.project_id IS NOT NULL
  LIMIT 1)`;

export const FIND_BY_ID_SQL = `${FIND} p.id = $2`;
export const FIND_BY_PATH_SQL = FIND + BY_PATH;
export const FIND_BY_FORMER_PATH_SQL = FIND + REDIRECTED;

export const COUNTS_SQL = `
  SELECT ${countColumns({ id: '$1::bigint', namespaceId: '$2::bigint' })}`;

export const LOCK_SQL = `
  SELECT p.id, p.name, p.path, p.visibility, p.description, p.topics,
    p.issues_enabled AS "issuesEnabled",
    p.merge_requests_enabled AS "mergeRequestsEnabled", p.wiki_enabled AS "wikiEnabled",
    p.snippets_enabled AS "snippetsEnabled", p.repository_enabled AS "repositoryEnabled",
    p.request_access_enabled AS "requestAccessEnabled",
    p.emails_enabled AS "emailsEnabled", p.namespace_id AS "namespaceId",
    n.full_path AS "namespaceFullPath"
  FROM projects p JOIN namespaces n ON n.id = p.namespace_id
  WHERE p.id = $1 AND NOT p.pending_delete FOR NO KEY UPDATE OF p`;

export const LOCK_FOR_CHANGE_SQL = `
  SELECT archived FROM projects WHERE id = $1 AND NOT pending_delete FOR NO KEY UPDATE`;

export const HOLD_SQL = 'SELECT 1 FROM projects WHERE id = $1 AND NOT pending_delete FOR SHARE';

export const TAKEN_SQL = `
  SELECT EXISTS (SELECT 1 FROM projects WHERE namespace_id = $1 AND id <> $4
                 AND lower(name) = lower($2)) AS name,
    EXISTS (SELECT 1 FROM projects WHERE namespace_id = $1 AND id <> $4
            AND lower(path) = lower($3))
    OR EXISTS (SELECT 1 FROM namespaces WHERE parent_id = $1 AND lower(path) = lower($3))
    AS path`;

export const NAMED_SQL = `
  SELECT p.id, p.name, n.full_path || '/' || p.path AS "fullPath"
  FROM projects p JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = ANY($1::bigint[])`;

export const NEXT_ID_SQL = `SELECT nextval(pg_get_serial_sequence('projects', 'id')) AS id`;

export const QUOTA_SQL = `
  SELECT u.projects_limit AS "limit",
    (SELECT count(*)::int FROM projects WHERE namespace_id = $1) AS count
  FROM users u WHERE u.id = $2`;
