import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import { startStack } from './support/stack.js';

const LOAD_SECONDS = 10;

/** Memory of the web process at rest and after load, and its start; the bounds are the peers. */
export async function run() {
  const stack = await startStack();
  try {
    const idle = residentMegabytes(stack.webPid);
    await autocannon({
      url: `${stack.url}/api/v4/projects`,
      connections: 16,
      duration: LOAD_SECONDS,
      headers: { 'private-token': stack.token },
    });
    const loaded = residentMegabytes(stack.webPid);
    return [
      bounded('web process at rest', 'MB', idle, 180),
      bounded(`web process after ${LOAD_SECONDS} s of load`, 'MB', loaded, 350),
      bounded('start until the first answer', 's', stack.readyMs / 1000, 2),
    ];
  } finally {
    await stack.stop();
  }
}

/**
 * @param {string} name
 * @param {string} metric
 * @param {number} ours
 * @param {number} bound
 */
function bounded(name, metric, ours, bound) {
  return {
    name,
    metric,
    ours,
    peer: bound,
    peerName: 'bound',
    ratio: ours / bound,
    target: '<= 1',
  };
}

/** @param {number} pid */
function residentMegabytes(pid) {
  if (process.platform !== 'linux') {
    return (
      Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
    );
  }
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
