import pg from 'pg';
import { interleave } from './support/figures.js';
import { requestsPerSecond } from './support/load.js';
import { startNodePeer } from './support/node-peer.js';
import { startStack } from './support/stack.js';

const ERRORS = 100_000;
const DEEP_PAGE = 1_000;
const PER_PAGE = 20;
const WARM_UP_SECONDS = 2;
const ROUND_SECONDS = 5;

/** Nine of ten are unresolved, a second apart, each with two tags. */
const FILL_SQL = `
  INSERT INTO errors (project_id, status, type, value, culprit, platform, level, first_seen_at,
    last_seen_at, events_count, users_count, first_release, search_text, sampled_day, sampled_count)
  SELECT $1, CASE WHEN n % 10 = 0 THEN 1 + n / 10 % 2 ELSE 0 END, 'TypeError',
    'Cannot read properties of undefined (reading ''sum' || n || ''')', 'checkout(shop.cart)',
    'javascript', n % 5, now() - n * interval '2 seconds', now() - n * interval '1 second',
    n % 1000 + 1, n % 100, 'shop@1.' || n % 20,
    'typeerror cannot read properties of undefined (reading ''sum' || n || ''') checkout shop.cart',
    current_date, 1
  FROM generate_series(1, $2::int) n`;

const TAGS_SQL = `
  INSERT INTO error_tags (error_id, project_id, key, value, events_count, last_seen_at)
  SELECT id, project_id, tag.key, tag.value, events_count, last_seen_at FROM errors
  CROSS JOIN LATERAL (VALUES ('environment', CASE WHEN id % 50 = 0 THEN 'staging' ELSE 'production' END),
    ('release', first_release)) tag (key, value)
  WHERE project_id = $1`;

/** Pages of a hundred thousand errors, against node:http with the same statement. */
export async function run() {
  const stack = await startStack();
  try {
    const project = await stack.api('POST', '/projects', { name: 'errors' });
    await fill(stack.databaseUrl, project.id);
    const rows = [];
    for (const page of [1, DEEP_PAGE]) rows.push(await measure(stack, project, page));
    return rows;
  } finally {
    await stack.stop();
  }
}

/**
 * @param {import('./support/stack.js').Stack} stack
 * @param {{ id: number, web_url: string }} project
 * @param {number} page
 */
async function measure(stack, project, page) {
  const floor = await startNodePeer('bare-error-list.js', {
    DATABASE_URL: stack.databaseUrl,
    TOKEN: stack.token,
    PROJECT_ID: String(project.id),
    WEB_URL: project.web_url,
    OFFSET: String((page - 1) * PER_PAGE),
  });
  const list = `/projects/${project.id}/error_tracking/errors?page=${page}`;
  const ours = { url: `${stack.url}/api/v4${list}`, token: stack.token };
  const theirs = { url: floor.url, token: stack.token };
  try {
    for (const target of [ours, theirs]) await requestsPerSecond(target, WARM_UP_SECONDS);
    const figures = await interleave({
      rounds: 5,
      ours: () => requestsPerSecond(ours, ROUND_SECONDS),
      peer: () => requestsPerSecond(theirs, ROUND_SECONDS),
    });
    return {
      name: `page ${page.toLocaleString('en')} of 100,000 errors`,
      metric: '1/s',
      ...figures,
      peerName: 'node:http, one prepared query',
      ratio: figures.ours / figures.peer,
      target: '>= 0.8',
    };
  } finally {
    await floor.stop();
  }
}

/**
 * @param {string} databaseUrl
 * @param {number} projectId
 */
async function fill(databaseUrl, projectId) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(FILL_SQL, [projectId, ERRORS]);
  await client.query(TAGS_SQL, [projectId]);
  await client.query('VACUUM ANALYZE errors, error_tags');
  await client.end();
}
