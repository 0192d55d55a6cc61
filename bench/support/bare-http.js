import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';

/**
 * What a list of projects costs without any framework: node:http, a token found in memory, one
 * prepared query, the same JSON. `SAMPLE` is a project as we answer it, from which the floor takes
 * everything that its query does not bring.
 */
const { PORT, DATABASE_URL, TOKEN = '', SAMPLE = '{}' } = process.env;
const sample = JSON.parse(SAMPLE);
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
const known = new Set([digestOf(TOKEN)]);

const QUERY = {
  name: 'projects',
  text: `SELECT p.id, p.name, p.path, p.description, p.created_at, p.last_activity_at,
           n.id AS namespace_id, n.name AS namespace_name, n.full_path, count(*) OVER () AS total
         FROM projects p JOIN namespaces n ON n.id = p.namespace_id
         ORDER BY p.created_at DESC, p.id DESC LIMIT 20`,
};

/** @param {string} token */
function digestOf(token) {
  return createHash('sha256').update(token).digest('hex');
}

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

/** @param {import('node:http').IncomingMessage} request */
async function answer({ headers }) {
  if (!known.has(digestOf(String(headers['private-token'])))) return { status: 401, body: '' };
  const { rows } = await pool.query(QUERY);
  return { status: 200, body: JSON.stringify(rows.map(present)) };
}

createServer((request, response) => {
  answer(request).then(
    ({ status, body }) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(body);
    },
    () => response.writeHead(500).end(),
  );
}).listen(Number(PORT), '127.0.0.1');
