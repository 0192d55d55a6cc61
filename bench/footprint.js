import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { startStack } from './support/stack.js';

const RUNS = 3;
const IDLE_SECONDS = 10;
const LOAD_SECONDS = 10;

/**
 * @typedef {object} Figures
 * @property {number} startSeconds from the start of the web process to its first answer
 * @property {number} idle megabytes of the web process
 * @property {number} worker megabytes of the worker
 * @property {number} loaded megabytes of the web process
 */

/**
 * Memory of both processes at rest and of the web process after load, and its start, on this Node
 * and on those whose programs NODE_BINARIES lists (separated by colons).
 */
export async function run() {
  const others = (process.env.NODE_BINARIES ?? '').split(':').filter((path) => path !== '');
  const rows = [];
  for (const node of [process.execPath, ...others]) {
    /** @type {Figures[]} */
    const runs = [];
    for (let i = 0; i < RUNS; i += 1) runs.push(await measure(node));
    rows.push(...rowsOf(versionOf(node), runs));
  }
  return rows;
}

/**
 * @param {string} node
 * @returns {Promise<Figures>}
 */
async function measure(node) {
  const stack = await startStack({}, { node });
  try {
    await sleep(IDLE_SECONDS * 1000);
    const idle = residentMegabytes(stack.webPid);
    const worker = residentMegabytes(stack.workerPid);
    await autocannon({
      url: `${stack.url}/api/v4/projects`,
      connections: 16,
      duration: LOAD_SECONDS,
      headers: { 'private-token': stack.token },
    });
    const loaded = residentMegabytes(stack.webPid);
    return { startSeconds: stack.readyMs / 1000, idle, worker, loaded };
  } finally {
    await stack.stop();
  }
}

/**
 * @param {string} version
 * @param {Figures[]} runs
 */
function rowsOf(version, runs) {
  /** @param {keyof Figures} figure */
  const of = (figure) => median(runs.map((each) => each[figure]));
  return [
    bounded(`web process at rest, Node ${version}`, 'MB', of('idle'), 150),
    bounded(`worker at rest, Node ${version}`, 'MB', of('worker'), 150),
    bounded(
      `web process after ${LOAD_SECONDS} s of load, Node ${version}`,
      'MB',
      of('loaded'),
      350,
    ),
    bounded(`start until the first answer, Node ${version}`, 's', of('startSeconds'), 1.2),
  ];
}

/** @param {number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}

/** @param {string} node */
function versionOf(node) {
  return execFileSync(node, ['--print', 'process.versions.node.split(".")[0]'], {
    encoding: 'utf8',
  }).trim();
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
