import { serveRows } from './bare-server.js';

/**
 * Cost of a list of projects without a framework: node:http, a token found in memory, one prepared
 * query, the same JSON. `SAMPLE` is a project of our response, from which the floor takes all
 * fields that its query does not return.
 */
const { SAMPLE = '{}' } = process.env;
const sample = JSON.parse(SAMPLE);

const QUERY = {
  name: 'projects',
  text: `SELECT p.id, p.name, p.path, p.description, p.created_at, p.last_activity_at,
           n.id AS namespace_id, n.name AS namespace_name, n.full_path, count(*) OVER () AS total
         FROM projects p JOIN namespaces n ON n.id = p.namespace_id
         ORDER BY p.created_at DESC, p.id DESC LIMIT 20`,
};

/** @param {Record<string, any>} row */
function present(row) {
  return {
    ...sample,
    id: Number(row.id),
    name: row.name,
    path: row.path,
    description: row.description,
    created_at: row.created_at.toISOString(),
    last_activity_at: row.last_activity_at.toISOString(),
    namespace: { ...sample.namespace, id: Number(row.namespace_id), name: row.namespace_name },
  };
}

serveRows(QUERY, present);
