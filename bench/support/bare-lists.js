import { serveLists } from './bare-server.js';

/**
 * Cost of lists without a framework: node:http, a token found in memory, one prepared query with the
 * columns of the rows and their total, JSON of the same size. `SAMPLES` has an item of each of our
 * responses, from which the floor takes all fields that its query does not return.
 */
const { PROJECT_ID, SAMPLES = '{}' } = process.env;

const PROJECT_SQL = `SELECT p.id::int, p.name, p.path, p.description, p.created_at, p.last_activity_at,
    n.id::int AS namespace_id, n.name AS namespace_name, count(*) OVER () AS total
  FROM projects p JOIN namespaces n ON n.id = p.namespace_id`;

const PAGE = 'LIMIT 20';

/** @type {Record<string, string>} */
const QUERIES = {
  project: `${PROJECT_SQL} WHERE p.id = ${PROJECT_ID}`,
  projects: `${PROJECT_SQL} ORDER BY p.created_at DESC, p.id DESC ${PAGE}`,
  groups: `SELECT g.id::int, n.name, n.path, n.full_path, g.description, n.created_at,
      count(*) OVER () AS total
    FROM groups g JOIN namespaces n ON n.id = g.id ORDER BY n.name, g.id ${PAGE}`,
  users: `SELECT u.id::int, u.username, u.name, u.state, u.email, u.bio, u.location, u.organization,
      u.job_title, u.created_at, u.confirmed_at, n.id::int AS namespace_id, count(*) OVER () AS total
    FROM users u LEFT JOIN namespaces n ON n.owner_id = u.id ORDER BY u.id DESC ${PAGE}`,
  issues: `SELECT i.id::int, i.iid::int, i.title, i.description, i.state, i.labels, i.created_at,
      i.updated_at, u.username, u.name, (SELECT count(*)::int FROM notes t WHERE t.issue_id = i.id)
        AS user_notes_count, count(*) OVER () AS total
    FROM issues i JOIN users u ON u.id = i.author_id WHERE i.project_id = ${PROJECT_ID}
    ORDER BY i.created_at DESC, i.id DESC ${PAGE}`,
  merge_requests: `SELECT r.id::int, r.iid::int, r.title, r.description, r.state, r.source_branch,
      r.labels, r.created_at, r.updated_at, u.username, u.name, (SELECT count(*)::int
        FROM notes t WHERE t.merge_request_id = r.id) AS user_notes_count, count(*) OVER () AS total
    FROM merge_requests r JOIN users u ON u.id = r.author_id WHERE r.project_id = ${PROJECT_ID}
    ORDER BY r.created_at DESC, r.id DESC ${PAGE}`,
  members: `SELECT u.id::int, u.username, u.name, u.state, m.access_level, m.created_at,
      m.expires_at, count(*) OVER () AS total
    FROM members m JOIN users u ON u.id = m.user_id WHERE m.project_id = ${PROJECT_ID}
    ORDER BY u.id ${PAGE}`,
};

/** @type {Record<string, object>} */
const samples = JSON.parse(SAMPLES);

serveLists(
  new Map(
    Object.entries(QUERIES).map(([name, text]) => [
      `/${name}`,
      { query: { name, text }, present: (row) => ({ ...samples[name], ...row, total: undefined }) },
    ]),
  ),
);
