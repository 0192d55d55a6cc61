import pg from 'pg';
import { median, seconds } from './support/figures.js';
import { fillEvents } from './support/events.js';
import { startStack } from './support/stack.js';

const EVENTS = 10_000_000;
const MONTHS = 36;
const PROJECTS = 2_000;
const ROUNDS = 25;
const DEEP_PAGE = 5_000;

/**
 * Ten million events of two thousand projects in thirty-seven months: how much longer the far ends
 * of the lists take than their beginnings.
 */
export async function run() {
  const stack = await startStack();
  try {
    const project = await stack.api('POST', '/projects', { name: 'busy' });
    const filled = await fillEvents(stack.databaseUrl, {
      events: EVENTS,
      months: MONTHS,
      projects: PROJECTS,
      authors: 500,
      projectId: project.id,
    });
    await joinAll(stack.databaseUrl, filled.groupIds);
    return await measure(stack, { projectId: project.id, authorId: filled.authorIds[7] ?? 0 });
  } finally {
    await stack.stop();
  }
}

/**
 * Makes the administrator, who asks for everything here, a reporter of all groups.
 * @param {string} databaseUrl
 * @param {number[]} groupIds
 */
async function joinAll(databaseUrl, groupIds) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `INSERT INTO members (namespace_id, user_id, access_level)
     SELECT id, (SELECT id FROM users WHERE admin ORDER BY id LIMIT 1), 20 FROM unnest($1::bigint[]) g (id)`,
    [groupIds],
  );
  await client.end();
}

/**
 * @param {import('./support/stack.js').Stack} stack
 * @param {{ projectId: number, authorId: number }} ids
 */
async function measure({ url, token, databaseUrl }, { projectId, authorId }) {
  /** @param {string} path */
  const asking = (path) => async () => {
    const response = await fetch(`${url}/api/v4${path}`, { headers: { 'private-token': token } });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await response.text();
  };
  const list = `/projects/${projectId}/events`;
  const first = asking(list);
  const old = new Date(Date.now() - (MONTHS - 2) * 30 * 86_400_000);
  const window = `after=${day(old, -3)}&before=${day(old, 0)}`;
  const scan = await offsetScan(databaseUrl, projectId);
  const others = '/users/' + authorId + '/events';
  const deep = asking(`${list}?page=${DEEP_PAGE}`);
  try {
    return [
      await beside('days three years ago, project', asking(`${list}?${window}`), first, '<= 1.2'),
      await beside(`page ${DEEP_PAGE}, project`, deep, scan.run, '<= 2', 'bare index-only OFFSET'),
      await beside(`page ${DEEP_PAGE}, project`, deep, first, '<= 100'),
      await beside('first page, user', asking(others), first, '<= 2'),
      await beside(
        'first page, scope=all of 2,000 projects',
        asking('/events?scope=all'),
        first,
        '<= 50',
      ),
      await beside('nothing found, project', asking(`${list}?action=merged`), first, '<= 100'),
      await beside('nothing found, user', asking(`${others}?action=merged`), first, '<= 20'),
    ];
  } finally {
    await scan.stop();
  }
}

/**
 * The least that a deep page costs: its place found in the index alone.
 * @param {string} databaseUrl
 * @param {number} projectId
 */
async function offsetScan(databaseUrl, projectId) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const text = `SELECT id FROM events WHERE project_id = $1 ORDER BY created_at DESC, id DESC
    LIMIT 20 OFFSET ${(DEEP_PAGE - 1) * 20}`;
  const run = async () => {
    await client.query({ name: 'scan', text, values: [projectId] });
  };
  return { run, stop: () => client.end() };
}

/**
 * Median milliseconds of both, one at a time and in turn.
 * @param {string} name
 * @param {() => Promise<void>} asked
 * @param {() => Promise<void>} held
 * @param {string} target
 */
async function beside(name, asked, held, target, peerName = 'first page of the project') {
  /** @type {number[]} */
  const ours = [];
  /** @type {number[]} */
  const theirs = [];
  for (let round = -8; round < ROUNDS; round += 1) {
    const times = [1000 * (await seconds(held)), 1000 * (await seconds(asked))];
    if (round < 0) continue;
    theirs.push(times[0] ?? 0);
    ours.push(times[1] ?? 0);
  }
  const figures = { ours: median(ours), peer: median(theirs) };
  console.log(`  ${name}: ${figures.ours.toFixed(2)} ms beside ${figures.peer.toFixed(2)} ms`);
  const ratio = figures.ours / figures.peer;
  return { name: `10 M events: ${name}`, metric: 'ms', ...figures, peerName, ratio, target };
}

/**
 * @param {Date} date
 * @param {number} shift in days
 */
function day(date, shift) {
  return new Date(date.getTime() + shift * 86_400_000).toISOString().slice(0, 10);
}
