import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { interleave } from './support/figures.js';
import { benchFolder } from './support/fixtures.js';
import { requestsPerSecond } from './support/load.js';
import { startNodePeer } from './support/node-peer.js';
import { startStack } from './support/stack.js';

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
  const peer = await startNodePeer('bare-nest.js');
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
