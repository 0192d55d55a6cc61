import { interleave } from './support/figures.js';
import { fillLists } from './support/list-rows.js';
import { requestsPerSecond } from './support/load.js';
import { startNodePeer } from './support/node-peer.js';
import { startStack } from './support/stack.js';

const ROUNDS = 5;
const WARM_UP_SECONDS = 2;
const ROUND_SECONDS = 4;

/**
 * Lists that clients read most, by the name of the floor's query.
 * @param {number} projectId
 * @returns {Record<string, string>}
 */
const pathsIn = (projectId) => ({
  project: `/projects/${projectId}`,
  projects: '/projects',
  groups: '/groups',
  users: '/users',
  issues: `/projects/${projectId}/issues`,
  merge_requests: `/projects/${projectId}/merge_requests`,
  members: `/projects/${projectId}/members/all`,
});

/** A project and the lists of 20 rows that clients read most, each beside node:http with one query. */
export async function run() {
  const stack = await startStack();
  try {
    const project = await stack.api('POST', '/projects', { name: 'lists' });
    await fillLists(stack.databaseUrl, project.id);
    const paths = pathsIn(project.id);
    const floor = await startNodePeer('bare-lists.js', {
      DATABASE_URL: stack.databaseUrl,
      TOKEN: stack.token,
      PROJECT_ID: String(project.id),
      SAMPLES: JSON.stringify(await samples(stack, paths)),
    });
    try {
      const rows = [];
      for (const [name, path] of Object.entries(paths)) {
        const ours = { url: `${stack.url}/api/v4${path}`, token: stack.token };
        const peer = { url: `${floor.url}/${name}`, token: stack.token };
        rows.push(await compare(path.replace(String(project.id), ':id'), ours, peer));
      }
      return rows;
    } finally {
      await floor.stop();
    }
  } finally {
    await stack.stop();
  }
}

/**
 * An item of each response, which the floor repeats.
 * @param {import('./support/stack.js').Stack} stack
 * @param {Record<string, string>} paths
 */
async function samples(stack, paths) {
  /** @type {Record<string, object>} */
  const found = {};
  for (const [name, path] of Object.entries(paths)) {
    found[name] = [await stack.api('GET', path)].flat().at(0);
  }
  return found;
}

/** @typedef {{ url: string, token: string }} Target */

/**
 * @param {string} name
 * @param {Target} ours
 * @param {Target} peer
 */
async function compare(name, ours, peer) {
  console.log(`  GET ${name}`);
  for (const target of [ours, peer]) await requestsPerSecond(target, WARM_UP_SECONDS);
  const figures = await interleave({
    rounds: ROUNDS,
    ours: () => requestsPerSecond(ours, ROUND_SECONDS),
    peer: () => requestsPerSecond(peer, ROUND_SECONDS),
  });
  return {
    name: `GET /api/v4${name}`,
    metric: '1/s',
    ...figures,
    peerName: 'node:http, one prepared query, JSON of the same size',
    ratio: figures.ours / figures.peer,
    target: '>= 0.7',
  };
}
