import { countStatements } from './support/statement-counter.js';
import { cpuSecondsOf } from './support/cpu-time.js';
import { median } from './support/figures.js';
import { signIn } from './support/sign-in.js';
import { siteMap } from './support/site-map.js';
import { startStack } from './support/stack.js';

/** Milliseconds that the server takes for a page at most, at the median. */
const LIMIT = 60;
const WARM_UP = 3;
const RUNS = 15;
const PASSWORD = 'only for this measurement';

/**
 * Figures of one page.
 * @typedef {object} PageFigures
 * @property {string} path
 * @property {number} median milliseconds from the request to the last byte
 * @property {number} worst
 * @property {number} cpu milliseconds of processor time in the web process and its git processes
 * @property {number} statements
 */

/**
 * Server time of every page with demo data, from the request to the last byte, signed in.
 * @returns {Promise<import('./run.js').BenchRow[]>}
 */
export async function run() {
  /** @type {import('./support/statement-counter.js').StatementCounter | undefined} */
  let counter;
  const relay = async (/** @type {string} */ databaseUrl) => {
    counter = await countStatements(databaseUrl);
    return counter.databaseUrl;
  };
  const stack = await startStack({ DEMO_DATA: 'on', INITIAL_ROOT_PASSWORD: PASSWORD }, { relay });
  try {
    const cookie = await signIn(stack.url, { login: 'root', password: PASSWORD });
    const read = async (/** @type {string} */ path) => readPage(stack.url + path, cookie);
    /** @type {PageFigures[]} */
    const pages = [];
    for (const path of await siteMap(read)) {
      const page = { path, url: stack.url + path, cookie, pid: stack.webPid };
      const figures = await measure(page, () => counter?.take().length ?? 0);
      const [middle, worst, cpu] = [figures.median, figures.worst, figures.cpu].map((time) =>
        time.toFixed(1).padStart(6),
      );
      const { statements } = figures;
      console.log(`  ${middle} ms, worst ${worst}, CPU ${cpu}, ${statements} statements: ${path}`);
      pages.push(figures);
    }
    console.log(`  ${pages.length} pages`);
    return rowsOf(pages);
  } finally {
    await stack.stop();
    await counter?.close();
  }
}

/**
 * @param {PageFigures[]} pages
 * @returns {import('./run.js').BenchRow[]}
 */
function rowsOf(pages) {
  const shared = { metric: 'ms', peer: LIMIT, peerName: 'bound', target: '<= 1' };
  const slowest = Math.max(...pages.map((page) => page.median));
  const dearest = Math.max(...pages.map(({ cpu }) => cpu));
  const usual = median(pages.map((page) => page.median));
  return [
    { name: 'slowest page, median', ours: slowest },
    { name: 'page with the most processor time', ours: dearest },
    { name: 'usual page, median of the medians', ours: usual },
  ].map((row) => ({ ...row, ...shared, ratio: row.ours / LIMIT }));
}

/**
 * @param {{ path: string, url: string, cookie: string, pid: number }} page
 * @param {() => number} takeStatements
 * @returns {Promise<PageFigures>}
 */
async function measure({ path, url, cookie, pid }, takeStatements) {
  const load = async () => {
    const response = await fetch(url, { headers: { cookie, 'accept-encoding': 'gzip' } });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  };
  for (let at = 0; at < WARM_UP; at += 1) await load();
  /** @type {number[]} */
  const times = [];
  /** @type {number[]} */
  const statements = [];
  const cpuBefore = await cpuSecondsOf(pid);
  for (let at = 0; at < RUNS; at += 1) {
    takeStatements();
    const startedAt = performance.now();
    await load();
    times.push(performance.now() - startedAt);
    statements.push(takeStatements());
  }
  const cpu = ((await cpuSecondsOf(pid)) - cpuBefore) * 1000;
  return {
    path,
    median: median(times),
    worst: Math.max(...times),
    cpu: cpu / RUNS,
    statements: median(statements),
  };
}

/**
 * @param {string} url
 * @param {string} cookie
 */
async function readPage(url, cookie) {
  const response = await fetch(url, { headers: { cookie }, redirect: 'manual' });
  const text = await response.text();
  const isPage = response.ok && response.headers.get('content-type')?.startsWith('text/html');
  return isPage ? text : null;
}
