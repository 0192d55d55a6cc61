import pg from 'pg';
import { interleave } from './support/figures.js';
import { requestsPerSecond } from './support/load.js';
import { startNodePeer } from './support/node-peer.js';
import { startStack } from './support/stack.js';

const ALERTS = 100_000;
const WARM_UP_SECONDS = 2;
const ROUND_SECONDS = 5;

/** All statuses and severities, a minute apart; a payload of half a kilobyte each. */
const FILL_SQL = `
  INSERT INTO alerts (project_id, iid, title, description, service, severity, status, payload,
    started_at, ended_at)
  SELECT $1, n, 'Disk full on web' || n, 'No space is left on the device', 'service' || n % 50,
    n % 6, n % 4, json_build_object('title', 'Disk full', 'more', repeat('x', 500)),
    now() - n * interval '1 minute', CASE WHEN n % 4 = 2 THEN now() END
  FROM generate_series(1, $2::int) n`;

/** The first page of a hundred thousand alerts, against node:http with the same statement. */
export async function run() {
  const stack = await startStack();
  const project = await stack.api('POST', '/projects', { name: 'alerts' });
  await fill(stack.databaseUrl, project.id);
  const floor = await startNodePeer('bare-alerts.js', {
    DATABASE_URL: stack.databaseUrl,
    TOKEN: stack.token,
    PROJECT_ID: String(project.id),
    WEB_URL: project.web_url,
  });
  const list = `/projects/${project.id}/alert_management_alerts`;
  const ours = { url: `${stack.url}/api/v4${list}`, token: stack.token };
  const theirs = { url: floor.url, token: stack.token };
  try {
    for (const target of [ours, theirs]) await requestsPerSecond(target, WARM_UP_SECONDS);
    const figures = await interleave({
      rounds: 5,
      ours: () => requestsPerSecond(ours, ROUND_SECONDS),
      peer: () => requestsPerSecond(theirs, ROUND_SECONDS),
    });
    return [
      {
        name: 'first page of 100,000 alerts',
        metric: '1/s',
        ...figures,
        peerName: 'node:http, one prepared query',
        ratio: figures.ours / figures.peer,
        target: '>= 0.8',
      },
    ];
  } finally {
    await floor.stop();
    await stack.stop();
  }
}

/**
 * @param {string} databaseUrl
 * @param {number} projectId
 */
async function fill(databaseUrl, projectId) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(FILL_SQL, [projectId, ALERTS]);
  await client.query('VACUUM ANALYZE alerts');
  await client.end();
}
