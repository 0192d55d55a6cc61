import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { plainBody } from './support/alert-bodies.js';
import { largeEnvelopes } from './support/error-envelopes.js';
import { median, seconds } from './support/figures.js';
import { fillLists } from './support/list-rows.js';
import { requestsPerSecond } from './support/load.js';
import { postAll } from './support/posts.js';
import { postRaw, rawRequest } from './support/raw-posts.js';
import { startStack } from './support/stack.js';

const PROCESSES = [1, 2, 4];
const ROUNDS = 5;
const LIST_SECONDS = 4;
const ALERTS = 5_000;
const EVENTS = 1_000;
const SENDERS = 64;

/** Limit for each additional web process: its heap, as code pages are shared. */
const MOST_MEGABYTES = 110;

/** Makes the title of each alert unique. */
let alertNumber = 0;

/**
 * Lists, alerts and events of errors per second of two and of four web processes beside one, and the
 * memory of each further process. Senders and PostgreSQL share the machine with them, so that a
 * machine of two cores has none to spare for a second process.
 */
export async function run() {
  /** @type {import('./support/stack.js').Stack[]} */
  const stacks = [];
  /** @type {Site[]} */
  const sites = [];
  try {
    for (const processes of PROCESSES) {
      const stack = await startStack({ WEB_PROCESSES: String(processes) });
      stacks.push(stack);
      sites.push(await prepareSite(processes, stack));
    }
    for (const site of sites) await measure(site);
    for (const site of sites) site.figures = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const site of sites) await measure(site);
      console.log(`  round ${round}: ${sites.map(latestOf).join('; ')}`);
    }
    return rowsOf(sites);
  } finally {
    for (const stack of stacks) await stack.stop();
  }
}

/**
 * @typedef {{ lists: number, alerts: number, events: number }} Figures
 * @typedef {object} Site
 * @property {number} processes
 * @property {import('./support/stack.js').Stack} stack
 * @property {{ url: string, token: string, connections: number }} webhook
 * @property {string} collector
 * @property {Figures[]} figures
 */

/**
 * Fills a project, and gives it a webhook and a collector.
 * @param {number} processes
 * @param {import('./support/stack.js').Stack} stack
 * @returns {Promise<Site>}
 */
async function prepareSite(processes, stack) {
  const { id } = await stack.api('POST', '/projects', { name: 'busy' });
  await fillLists(stack.databaseUrl, id);
  const integrations = `/projects/${id}/alert_management/http_integrations`;
  const { url, token } = await stack.api('POST', integrations, { name: 'Bench', active: true });
  const errors = `/projects/${id}/error_tracking`;
  await stack.api('PATCH', `${errors}/settings`, { active: true, integrated: true });
  const [key] = await stack.api('GET', `${errors}/client_keys`);
  const envelopes = `${stack.url}/api/v4/error_tracking/collector/api/${id}/envelope/`;
  return {
    processes,
    stack,
    webhook: { url, token, connections: SENDERS },
    collector: `${envelopes}?sentry_version=7&sentry_key=${key.public_key}`,
    figures: [],
  };
}

/** @param {Site} site */
async function measure({ stack, webhook, collector, figures }) {
  const list = { url: `${stack.url}/api/v4/projects`, token: stack.token };
  const lists = await requestsPerSecond(list, LIST_SECONDS);
  let left = ALERTS;
  const nextAlert = () => {
    left -= 1;
    alertNumber += 1;
    return left < 0 ? null : plainBody(alertNumber);
  };
  const alerts = ALERTS / (await seconds(() => postAll(webhook, nextAlert)));
  const requests = largeEnvelopes(EVENTS, 200).map((body) =>
    rawRequest(collector, body, { 'Content-Encoding': 'gzip' }),
  );
  const senders = { url: collector, connections: SENDERS };
  const events = EVENTS / (await seconds(() => postRaw(senders, () => requests.pop() ?? null)));
  figures.push({ lists, alerts, events });
}

/** @param {Site} site */
function latestOf({ processes, figures }) {
  const { lists, alerts, events } = figures.at(-1) ?? { lists: 0, alerts: 0, events: 0 };
  return `${processes}: ${[lists, alerts, events].map((rate) => rate.toFixed(0)).join(', ')}`;
}

/** @param {Site[]} sites @returns {import('./run.js').BenchRow[]} */
function rowsOf(sites) {
  const [one, ...others] = sites;
  if (one === undefined) return [];
  return others.flatMap((site) => [
    rateRow('GET /api/v4/projects', '1/s', { one, site, of: ({ lists }) => lists }),
    rateRow('alerts, one per call', 'alerts/s', { one, site, of: ({ alerts }) => alerts }),
    rateRow('envelopes of 50 KB', 'events/s', { one, site, of: ({ events }) => events }),
    memoryRow(one, site),
  ]);
}

/**
 * @param {string} name
 * @param {string} metric
 * @param {{ one: Site, site: Site, of: (figures: Figures) => number }} compared
 * @returns {import('./run.js').BenchRow}
 */
function rateRow(name, metric, { one, site, of }) {
  const ours = median(site.figures.map(of));
  const peer = median(one.figures.map(of));
  return {
    name: `${site.processes} web processes: ${name}`,
    metric,
    ours,
    peer,
    peerName: 'one web process',
    ratio: ours / peer,
    target: '>= 0.9',
  };
}

/** @param {Site} one @param {Site} site @returns {import('./run.js').BenchRow} */
function memoryRow(one, site) {
  const more = site.processes - one.processes;
  const ours =
    (proportionalMegabytes(site.stack.webPid) - proportionalMegabytes(one.stack.webPid)) / more;
  return {
    name: `${site.processes} web processes: memory of each further one, after load`,
    metric: 'MB',
    ours,
    peer: MOST_MEGABYTES,
    peerName: 'bound',
    ratio: ours / MOST_MEGABYTES,
    target: '<= 1',
  };
}

/**
 * Proportional set size of a process and its children: memory that several share counts once.
 * @param {number} pid
 * @returns {number}
 */
function proportionalMegabytes(pid) {
  const own = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]);
  return (
    own / 1_024 + childrenOf(pid).reduce((sum, child) => sum + proportionalMegabytes(child), 0)
  );
}

/** @param {number} pid */
function childrenOf(pid) {
  const table = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  return rows.flatMap(([child, parent]) => (child !== undefined && parent === pid ? [child] : []));
}
