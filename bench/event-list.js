import { median } from './support/figures.js';
import { fillEvents } from './support/events.js';
import { loadOf } from './support/load.js';
import { startNodePeer } from './support/node-peer.js';
import { startStack } from './support/stack.js';

const EVENTS = 1_000_000;
const MONTHS = 12;
const WARM_UP_SECONDS = 4;
const ROUND_SECONDS = 5;
const ROUNDS = 3;
const PEERS = [
  { counts: 'yes', peerName: 'node:http, one prepared query with the total' },
  { counts: 'no', peerName: 'node:http, one prepared query' },
];

/** The first page of a million events of a project, against node:http with one statement. */
export async function run() {
  const stack = await startStack();
  const project = await stack.api('POST', '/projects', { name: 'events' });
  await fillEvents(stack.databaseUrl, {
    events: EVENTS,
    months: MONTHS,
    projects: 0,
    authors: 50,
    projectId: project.id,
  });
  try {
    const rows = [];
    for (const peer of PEERS) rows.push(...(await against(stack, project.id, peer)));
    return rows;
  } finally {
    await stack.stop();
  }
}

/**
 * @param {import('./support/stack.js').Stack} stack
 * @param {number} projectId
 * @param {{ counts: string, peerName: string }} peer
 */
async function against({ url, token, databaseUrl }, projectId, { counts, peerName }) {
  const floor = await startNodePeer('bare-events.js', {
    DATABASE_URL: databaseUrl,
    TOKEN: token,
    PROJECT_ID: String(projectId),
    BASE_URL: url,
    COUNTS: counts,
  });
  const ours = { url: `${url}/api/v4/projects/${projectId}/events`, token };
  const theirs = { url: floor.url, token };
  try {
    for (const target of [ours, theirs]) await loadOf(target, WARM_UP_SECONDS);
    return rowsOf(await compare(ours, theirs), peerName);
  } finally {
    await floor.stop();
  }
}

/** @typedef {{ url: string, token: string }} Target */

/**
 * Both in turn, so that a drifting machine hits both.
 * @param {Target} ours
 * @param {Target} theirs
 */
async function compare(ours, theirs) {
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const peer = await loadOf(theirs, ROUND_SECONDS);
    rounds.push({ ours: await loadOf(ours, ROUND_SECONDS), peer });
    console.log(`  round ${round + 1}: ${JSON.stringify(rounds.at(-1))}`);
  }
  return rounds;
}

/**
 * @param {Awaited<ReturnType<typeof compare>>} rounds
 * @param {string} peerName
 */
function rowsOf(rounds, peerName) {
  /** @param {'rate' | 'p99'} what */
  const figures = (what) => {
    const ours = median(rounds.map((round) => round.ours[what]));
    const peer = median(rounds.map((round) => round.peer[what]));
    return { ours, peer, ratio: ours / peer, peerName };
  };
  const name = 'first page of 1,000,000 events of a project';
  return [
    { name, metric: '1/s', ...figures('rate'), target: '>= 0.8' },
    { name: `${name}, p99`, metric: 'ms', ...figures('p99'), target: '<= 1.25' },
  ];
}
