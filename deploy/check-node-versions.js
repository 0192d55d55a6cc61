import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWhenStale, ROOT } from './local/build.js';
import { startGuarded } from './local/guarded-process.js';
import { otherNodePrograms } from './local/node-program.js';
import { freePort } from './local/ports.js';
import { poll } from './local/processes.js';
import { Refusal, runMain } from './local/refusal.js';
import { startLocalServices } from './local/services.js';
import { withTemporaryDatabase } from './local/temporary-database.js';

const WAIT_SECONDS = 60;
const GRACE_SECONDS = 30;

/**
 * @typedef {object} Installation
 * @property {string} node program that runs it
 * @property {string} folder its data and logs
 * @property {NodeJS.ProcessEnv} env
 *
 * @typedef {object} Running
 * @property {string} name
 * @property {import('./local/guarded-process.js').GuardedProcess} process
 * @property {() => boolean} hasEnded
 * @property {string} logFile standard output and standard error
 */

/** Web and worker run without warnings on this Node, the newest LTS release and the newest one. */
async function main() {
  await buildWhenStale();
  const services = await startLocalServices({
    purpose: 'test',
    durable: false,
    databaseUrl: process.env.TEST_ADMIN_DATABASE_URL,
    redisUrl: process.env.TEST_REDIS_URL,
  });
  try {
    for (const node of [process.execPath, ...otherNodePrograms()]) {
      await check(node, services);
    }
  } finally {
    await services.stop();
  }
}

/**
 * @param {string} node
 * @param {import('./local/services.js').LocalServices} services
 */
async function check(node, { databaseUrl, redisUrl }) {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-node-'));
  const startedAt = performance.now();
  try {
    await withTemporaryDatabase(databaseUrl, async ({ name, url }) => {
      const env = await environment(folder, { DATABASE_URL: url, QUEUE_PREFIX: name });
      await smokeTest({ node, folder, env: { ...env, REDIS_URL: redisUrl } });
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(`Node ${version}: ${error.message}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`Node ${version}: no warnings, ${seconds} s`);
}

/**
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} own
 * @returns {Promise<NodeJS.ProcessEnv>} nothing of ours but what programs are found by
 */
async function environment(folder, own) {
  const { PATH, HOME } = process.env;
  return {
    PATH,
    HOME,
    NODE_ENV: 'production',
    // Adds to each warning where it comes from.
    NODE_OPTIONS: '--trace-warnings',
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    DATA_DIR: join(folder, 'data'),
    SECRET_KEY: randomBytes(32).toString('hex'),
    INITIAL_ROOT_TOKEN: randomBytes(20).toString('hex'),
    DEMO_DATA: 'false',
    LOG_LEVEL: 'warn',
    ...own,
  };
}

/** @param {Installation} installation */
async function smokeTest(installation) {
  const setup = start(installation, 'src/cli.js', 'setup');
  const code = await setup.process.exited;
  if (code !== 0) throw failure(setup, `ended with code ${code}`);
  const web = start(installation, 'main.js');
  const worker = start(installation, 'worker.js');
  const running = [web, worker];
  try {
    await isReady(installation, running);
    await useIt(installation, running);
  } finally {
    await Promise.all(running.map((each) => each.process.stop()));
  }
  for (const each of running) {
    const exitCode = await each.process.exited;
    if (exitCode !== 0) throw failure(each, `ended with code ${exitCode} after SIGTERM`);
  }
  for (const each of [setup, ...running]) {
    if (/^\(node:\d+\)/m.test(logOf(each))) throw failure(each, 'printed a warning');
  }
}

/**
 * @param {Installation} installation
 * @param {string} file below dist
 * @param {string[]} args
 * @returns {Running}
 */
function start({ node, folder, env }, file, ...args) {
  const name = args[0] ?? file;
  const logFile = join(folder, `${name}.log`);
  const log = openSync(logFile, 'a');
  const child = startGuarded({
    command: node,
    args: [join(ROOT, 'dist', file), ...args],
    env,
    cwd: ROOT,
    output: [log, log],
    stopSignal: 'TERM',
    graceSeconds: GRACE_SECONDS,
  });
  closeSync(log);
  let ended = false;
  void child.exited.then(() => (ended = true));
  return { name, process: child, hasEnded: () => ended, logFile };
}

/**
 * @param {Installation} installation
 * @param {Running[]} running
 */
async function isReady(installation, running) {
  const answers = () =>
    request(installation, '/-/readiness').then(
      () => true,
      // Not listening or not ready yet.
      () => false,
    );
  await waitFor('readiness', running, answers);
}

/**
 * Reads over the API and a page, and has the worker move a repository.
 * @param {Installation} installation
 * @param {Running[]} running
 */
async function useIt(installation, running) {
  await request(installation, '/api/v4/version');
  await request(installation, '/users/sign_in');
  const project = await post(installation, '/api/v4/projects', { name: 'smoke' });
  const moves = `/api/v4/projects/${project.id}/repository_storage_moves`;
  const { id } = await post(installation, moves, { destination_storage_name: 'storage2' });
  await waitFor('a finished storage move', running, async () => {
    const { state } = await (await request(installation, `${moves}/${id}`)).json();
    if (state === 'failed') throw new Refusal('the storage move failed');
    return state === 'finished';
  });
}

/**
 * @param {string} what
 * @param {Running[]} running
 * @param {() => Promise<boolean>} probe
 */
async function waitFor(what, running, probe) {
  const found = await poll(
    async () => {
      for (const each of running) {
        if (each.hasEnded()) throw failure(each, 'ended by itself');
      }
      return probe();
    },
    { seconds: WAIT_SECONDS },
  );
  if (!found) throw new Refusal(`no ${what} within ${WAIT_SECONDS} seconds`);
}

/**
 * @param {Installation} installation
 * @param {string} path
 * @param {object} body
 */
async function post(installation, path, body) {
  const response = await request(installation, path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
}

/**
 * @param {Installation} installation
 * @param {string} path
 * @param {RequestInit} [init]
 */
async function request({ env }, path, init = {}) {
  const headers = new Headers(init.headers);
  if (path.startsWith('/api/')) headers.set('PRIVATE-TOKEN', env.INITIAL_ROOT_TOKEN ?? '');
  const response = await fetch(`http://127.0.0.1:${env.PORT}${path}`, {
    ...init,
    headers,
    signal: AbortSignal.timeout(10_000),
  });
  if (response.ok) return response;
  throw new Refusal(`${path} answered ${response.status}: ${await response.text()}`);
}

/**
 * @param {Running} running
 * @param {string} problem
 */
function failure(running, problem) {
  return new Refusal(`${running.name} ${problem}:\n${logOf(running)}`);
}

/** @param {Running} running */
function logOf({ logFile }) {
  return readFileSync(logFile, 'utf8');
}

await runMain(main);
