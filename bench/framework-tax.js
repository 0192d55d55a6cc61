import { open } from 'node:fs/promises';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { ROOT } from '../deploy/local/build.js';
import { startGuarded } from '../deploy/local/guarded-process.js';
import { freePort } from '../deploy/local/ports.js';
import { poll } from '../deploy/local/processes.js';
import { interleave } from './support/figures.js';
import { benchFolder } from './support/fixtures.js';
import { startStack } from './support/stack.js';

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 3;
const ROUND_SECONDS = 8;

/**
 * The price of everything that surrounds an endpoint (id, headers, log line, credentials, ETag):
 * the version, asked for with a token and written to the log, against a bare Nest on Express that
 * does none of it.
 */
export async function run() {
  const log = await open(join(await benchFolder(), 'framework-tax.log'), 'w');
  const stack = await startStack({ LOG_LEVEL: 'info' }, { logs: log.fd });
  const peer = await startBareNest();
  const version = { url: `${stack.url}/api/v4/version`, token: stack.token };
  const hello = { url: `${peer.url}/hello` };
  try {
    for (const target of [version, hello]) await requestsPerSecond(target, WARM_UP_SECONDS);
    const figures = await interleave({
      rounds: 5,
      ours: () => requestsPerSecond(version, ROUND_SECONDS),
      peer: () => requestsPerSecond(hello, ROUND_SECONDS),
    });
    return [
      {
        name: 'GET /api/v4/version with a token',
        metric: '1/s',
        ...figures,
        peerName: 'bare Nest on Express, hello',
        ratio: figures.ours / figures.peer,
        target: '>= 0.85',
      },
    ];
  } finally {
    await peer.stop();
    await stack.stop();
    await log.close();
  }
}

/**
 * @param {{ url: string, token?: string }} target
 * @param {number} duration in seconds
 */
async function requestsPerSecond({ url, token }, duration) {
  const result = await autocannon({
    url,
    duration,
    connections: CONNECTIONS,
    headers: token === undefined ? {} : { 'private-token': token },
  });
  if (result.non2xx + result.errors > 0) throw new Error(`${url} did not answer every request`);
  return result.requests.average;
}

async function startBareNest() {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = startGuarded({
    command: process.execPath,
    args: [join(ROOT, 'bench', 'support', 'bare-nest.js')],
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port) },
    cwd: ROOT,
    output: ['inherit', 'inherit'],
    stopSignal: 'TERM',
    graceSeconds: 5,
    ownerFile: join(await benchFolder(), 'bare-nest.owner'),
  });
  const answers = () =>
    fetch(`${url}/hello`).then(
      (response) => response.ok,
      () => false,
    );
  if (!(await poll(answers, { seconds: 20, everyMs: 50 }))) throw new Error('the peer is silent');
  return { url, stop: () => child.stop() };
}
