import { interleave } from './support/figures.js';
import { requestsPerSecond } from './support/load.js';
import { startNodePeer } from './support/node-peer.js';
import { startStack } from './support/stack.js';

const PROJECTS = 40;
const ROUNDS = 5;
const WARM_UP_SECONDS = 3;
const ROUND_SECONDS = 5;
const NEVER_REACHED = 1_000_000_000;

/**
 * The price of finding out who asks and of counting it: the version and a list of projects, each
 * with a token, with rate limits and without, beside what has neither.
 */
export async function run() {
  const stack = await startStack({ RATE_LIMITS: 'on' });
  const list = `${stack.url}/api/v4/projects?per_page=20`;
  await makeProjects(stack);
  const sample = (await stack.api('GET', '/projects?per_page=1'))[0];
  const hello = await startNodePeer('bare-nest.js');
  const floor = await startNodePeer('bare-http.js', {
    DATABASE_URL: stack.databaseUrl,
    TOKEN: stack.token,
    SAMPLE: JSON.stringify(sample),
  });
  try {
    const targets = {
      version: { url: `${stack.url}/api/v4/version`, token: stack.token },
      projects: { url: list, token: stack.token },
      hello: { url: `${hello.url}/hello` },
      floor: { url: floor.url, token: stack.token },
    };
    await setLimits(stack, true);
    for (const target of Object.values(targets)) await requestsPerSecond(target, WARM_UP_SECONDS);
    return [
      ...(await compare(stack, 'GET /api/v4/version', targets.version, {
        ...targets.hello,
        name: 'bare Nest on Express, hello',
        target: '>= 0.85',
      })),
      ...(await compare(stack, 'GET /api/v4/projects', targets.projects, {
        ...targets.floor,
        name: 'node:http, one prepared query',
        target: '>= 0.8',
      })),
    ];
  } finally {
    await Promise.all([hello.stop(), floor.stop()]);
    await stack.stop();
  }
}

/** @param {import('./support/stack.js').Stack} stack */
async function makeProjects(stack) {
  for (let index = 0; index < PROJECTS; index += 1) {
    await stack.api('POST', '/projects', { name: `Project ${index}` });
  }
}

/**
 * @param {import('./support/stack.js').Stack} stack
 * @param {string} name
 * @param {{ url: string, token: string }} ours
 * @param {{ url: string, token?: string, name: string, target: string }} peer
 */
async function compare(stack, name, ours, peer) {
  const limited = async () => {
    await setLimits(stack, true);
    return requestsPerSecond(ours, ROUND_SECONDS);
  };
  const unlimited = async () => {
    await setLimits(stack, false);
    return requestsPerSecond(ours, ROUND_SECONDS);
  };
  const floor = () => requestsPerSecond(peer, ROUND_SECONDS);
  const beside = await interleave({ rounds: ROUNDS, ours: limited, peer: floor });
  const price = await interleave({ rounds: ROUNDS, ours: limited, peer: unlimited });
  return [
    row(`${name}, token and rate limit`, beside, { name: peer.name, target: peer.target }),
    row(`${name}, token and rate limit`, price, { name: 'without limit', target: '>= 0.9' }),
  ];
}

/**
 * @param {import('./support/stack.js').Stack} stack
 * @param {boolean} enabled
 */
async function setLimits(stack, enabled) {
  await stack.api('PUT', '/application/settings', {
    throttle_authenticated_api_enabled: enabled,
    throttle_authenticated_api_requests_per_period: NEVER_REACHED,
  });
}

/**
 * @param {string} name
 * @param {{ ours: number, peer: number }} figures
 * @param {{ name: string, target: string }} peer
 */
function row(name, figures, peer) {
  const ratio = figures.ours / figures.peer;
  return { name, metric: '1/s', ...figures, peerName: peer.name, ratio, target: peer.target };
}
