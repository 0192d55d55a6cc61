import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';

const { PORT, DATABASE_URL, TOKEN = '' } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
const known = new Set([digestOf(TOKEN)]);

/**
 * A list: its query and the JSON object of a row.
 * @typedef {{ query: pg.QueryConfig, present: (row: Record<string, any>) => object }} List
 */

/**
 * Answers every request that brings the token with the rows of one prepared query, as node:http
 * alone does it: the floor of a list.
 * @param {pg.QueryConfig} query
 * @param {(row: Record<string, any>) => object} present
 */
export function serveRows(query, present) {
  serve(() => ({ query, present }));
}

/**
 * The same for lists by their paths.
 * @param {ReadonlyMap<string, List>} lists
 */
export function serveLists(lists) {
  serve((path) => lists.get(path));
}

/** @param {(path: string) => List | undefined} find */
function serve(find) {
  /** @param {import('node:http').IncomingMessage} request */
  const answer = async ({ headers, url = '' }) => {
    if (!known.has(digestOf(String(headers['private-token'])))) return { status: 401, body: '' };
    const list = find(url);
    if (list === undefined) return { status: 404, body: '' };
    const { rows } = await pool.query(list.query);
    return { status: 200, body: JSON.stringify(rows.map(list.present)) };
  };
  createServer((request, response) => {
    answer(request).then(
      ({ status, body }) => {
        response.writeHead(status, { 'Content-Type': 'application/json' });
        response.end(body);
      },
      () => response.writeHead(500).end(),
    );
  }).listen(Number(PORT), '127.0.0.1');
}

/** @param {string} token */
function digestOf(token) {
  return createHash('sha256').update(token).digest('hex');
}
