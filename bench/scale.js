import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Refusal } from '../deploy/local/refusal.js';
import { benchFolder } from './support/fixtures.js';
import { median, seconds } from './support/figures.js';
import { report } from './support/scale-report.js';
import { scaleRequests } from './support/scale-requests.js';
import { fillToScale, KNOWN, rowCounts, SCALES } from './support/scale-rows.js';
import { signIn } from './support/sign-in.js';
import { startStack } from './support/stack.js';

const RUNS = 9;
/** Seconds after which a slow request is not asked again. */
const ENOUGH_SECONDS = 0.6;
const LEAST_RUNS = 3;

/**
 * Answers before the measured ones: PostgreSQL settles on a plan for a prepared statement at its
 * sixth execution on a connection, and a long list has another statement from the second answer on.
 */
const WARM_UP_RUNS = 7;
const MAX_WARM_UP_SECONDS = 5;
const PASSWORD = 'only for this measurement';
const TOKEN = `svcpat-${'0123456789abcdef'.repeat(2)}`;

/** A request slower than this ended by the time limit of its statement. */
const UNANSWERED_MS = 5_000;

/**
 * `npm run bench -- --scale 10m [--keep] [--only text]`: fills a database with 10 million events
 * and what belongs to them, asks for every list and list page, and writes first answers, medians and
 * p99 to the documentation. With `--keep` the database stays for the next run; `--only` asks for the requests
 * whose path contains the text and writes nothing.
 * @param {string[]} args
 */
export async function runScale(args) {
  const scale = args[args.indexOf('--scale') + 1] ?? '';
  const events = Object.entries(SCALES).find(([name]) => name === scale)?.[1];
  if (events === undefined)
    throw new Refusal(`--scale is one of ${Object.keys(SCALES).join(', ')}`);
  const only = args.includes('--only') ? (args[args.indexOf('--only') + 1] ?? '') : null;
  const home = join(await benchFolder(), `scale-${scale}`);
  const isKept = args.includes('--keep');
  const mark = join(home, 'filled');
  if (!isKept || !existsSync(mark)) await rm(home, { recursive: true, force: true });
  console.log(`# scale ${scale}${existsSync(home) ? ', kept from before' : ''}`);
  const stack = await startStack(
    {
      INITIAL_ROOT_TOKEN: TOKEN,
      INITIAL_ROOT_PASSWORD: PASSWORD,
      SECRET_KEY: 'ab'.repeat(32),
      // The warm-up reaches every connection.
      DATABASE_POOL_SIZE: '1',
    },
    {
      home,
      isAlone: true,
      fill: async (databaseUrl) => {
        const duration = await seconds(() => fillToScale(databaseUrl, events));
        await writeFile(mark, '');
        console.log(`  filled in ${(duration / 60).toFixed(1)} minutes`);
      },
    },
  );
  try {
    const figures = await measureAll(stack, events, only);
    if (only !== null) return;
    const growing = await report(scale, figures);
    console.log(`\n  ${growing.length} requests grow too much\n    ${growing.join('\n    ')}`);
  } finally {
    await stack.stop();
    if (!isKept) await rm(home, { recursive: true, force: true });
  }
}

/**
 * @param {import('./support/stack.js').Stack} stack
 * @param {number} events
 * @param {string | null} only
 */
async function measureAll(stack, events, only) {
  const headers = {
    admin: await headersOf(stack, 1),
    manager: await headersOf(stack, KNOWN.manager),
    member: await headersOf(stack, KNOWN.member),
    anonymous: { api: {}, page: {} },
  };
  const project = await stack.api('GET', `/projects/${KNOWN.project}`);
  const group = await stack.api('GET', `/groups/${KNOWN.group}`);
  const { username } = await stack.api('GET', `/users/${KNOWN.manager}`);
  const requests = scaleRequests({
    projectPath: project.path_with_namespace,
    groupPath: group.full_path,
    username,
    middle: KNOWN.project + rowCounts(events).projects / 2,
  });
  /** @type {Record<string, import('./support/scale-report.js').Figure>} */
  const figures = {};
  for (const { path, askers } of requests) {
    if (only !== null && !path.includes(only)) continue;
    for (const asker of askers) {
      const figure = await measure(stack.url + path, headers[asker]);
      if (figure === null) continue;
      figures[`${asker} ${path}`] = figure;
      const [first, p50, p99] = [figure.first, figure.p50, figure.p99].map((ms) =>
        ms.toFixed(1).padStart(7),
      );
      console.log(`  ${p50} ms, p99 ${p99}, first ${first}: ${asker} ${path}`);
    }
  }
  return figures;
}

/**
 * Token and session of a user; both are accepted where they belong.
 * @param {import('./support/stack.js').Stack} stack
 * @param {number} userId
 * @returns {Promise<{ api: Record<string, string>, page: Record<string, string> }>}
 */
async function headersOf(stack, userId) {
  if (userId === 1) {
    const cookie = await signIn(stack.url, { login: 'root', password: PASSWORD });
    return { api: { 'private-token': stack.token }, page: { cookie } };
  }
  const user = await stack.api('PUT', `/users/${userId}`, { password: PASSWORD });
  const { token } = await stack.api('POST', `/users/${userId}/impersonation_tokens`, {
    name: 'Bench',
    scopes: ['api'],
  });
  const cookie = await signIn(stack.url, { login: user.username, password: PASSWORD });
  return { api: { 'private-token': token }, page: { cookie } };
}

/**
 * The first answer apart, which is planned and whose rows are counted, and those after a warm-up.
 * Null when the asker may not.
 * @param {string} url
 * @param {{ api: Record<string, string>, page: Record<string, string> }} headers
 */
async function measure(url, headers) {
  const own = url.includes('/api/v4/') ? headers.api : headers.page;
  const first = await timeOf(url, own);
  if (first === null) return null;
  const timeAgain = async () => {
    const time = await timeOf(url, own);
    if (time === null) throw new Error(`${url} was answered at first and is refused now`);
    return time;
  };
  await repeat(timeAgain, {
    least: 0,
    most: WARM_UP_RUNS - 1,
    enoughSeconds: MAX_WARM_UP_SECONDS,
  });
  const times = await repeat(timeAgain, {
    least: LEAST_RUNS,
    most: RUNS,
    enoughSeconds: ENOUGH_SECONDS,
  });
  const sorted = times.toSorted((a, b) => a - b);
  const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
  return { first, p50: median(times), p99, fastest: sorted[0] ?? 0 };
}

/**
 * @param {() => Promise<number>} ask
 * @param {{ least: number, most: number, enoughSeconds: number }} limits
 */
async function repeat(ask, { least, most, enoughSeconds }) {
  /** @type {number[]} */
  const times = [];
  const startedAt = performance.now();
  while (times.length < most) {
    const isEnough = performance.now() - startedAt > enoughSeconds * 1_000;
    if (isEnough && times.length >= least) break;
    times.push(await ask());
  }
  return times;
}

/**
 * Milliseconds of one answer; null when the asker may not.
 * @param {string} url
 * @param {Record<string, string>} headers
 */
async function timeOf(url, headers) {
  const sentAt = performance.now();
  const response = await fetch(url, { headers: { ...headers }, redirect: 'manual' });
  await response.arrayBuffer();
  const duration = performance.now() - sentAt;
  if ([403, 404, 405].includes(response.status)) return null;
  if (response.status === 503 || response.status === 500) return Math.max(UNANSWERED_MS, duration);
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  return duration;
}
