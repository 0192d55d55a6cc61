import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { buildWhenStale, ROOT } from './local/build.js';
import {
  aborted,
  addDemoData,
  announce,
  publishServers,
  runSetup,
  startProcess,
  usablePort,
  withInstallation,
} from './local/installation.js';
import { poll } from './local/processes.js';
import { Refusal, runMain } from './local/refusal.js';

const READY_SECONDS = 120;
const FIRST_WAIT_SECONDS = 1;
const LONGEST_WAIT_SECONDS = 30;
/** Uptime after which an exit does not count as a failed start. */
const STEADY_SECONDS = 60;
const DIST = join(ROOT, 'dist');
const SERVERS_ONLY = '--servers-only';
const USAGE = `Usage: npm start [-- ${SERVERS_ONLY}]

Starts PostgreSQL and Redis below DATA_DIR (.data), the web process on PORT (3000) and the worker.
With ${SERVERS_ONLY} only PostgreSQL and Redis. docs/reference/configuration.md lists all variables.`;

/** @typedef {import('./local/installation.js').Installation} Installation */

/**
 * `npm start`: servers, migrations, web and worker in one terminal; Ctrl-C stops them in order. With
 * `--servers-only` neither migrations nor web and worker, for commands that must be alone.
 */
async function main() {
  const options = process.argv.slice(2);
  if (options.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  const unknown = options.find((option) => option !== SERVERS_ONLY);
  if (unknown !== undefined) {
    throw new Refusal(`there is no option ${unknown}, only ${SERVERS_ONLY}`);
  }
  if (options.length > 0 && (process.env.DATABASE_URL || process.env.DATABASE_URL_FILE)) {
    throw new Refusal('DATABASE_URL is set: there is no PostgreSQL to start');
  }
  await withInstallation(options.length === 0 ? runGuildhall : keepServers);
  return 0;
}

/** @param {Installation} installation */
async function keepServers(installation) {
  const { dataDir, signal } = installation;
  await buildWhenStale();
  publishServers(installation);
  console.log(
    `The servers of ${dataDir} are running: \`npx guildhall\` finds them.\nPress Ctrl-C to stop.`,
  );
  await aborted(signal);
}

/**
 * Returns only by a Refusal: the processes are meant to run until they are stopped.
 * @param {Installation} installation
 */
async function runGuildhall(installation) {
  const { env, signal, dataDir } = installation;
  env.PORT = String(await usablePort(env));
  await buildWhenStale();
  const cli = join(DIST, 'cli.js');
  const setup = await runSetup(installation, cli);
  const web = startProcess(installation, join(DIST, 'main.js'));
  const ended = Promise.race([web.exited, keepWorker(installation)]);
  const ready = await Promise.race([waitUntilReady(installation), ended.then(() => true)]);
  if (!ready) throw new Refusal(`the web process did not get ready in ${READY_SECONDS} seconds`);
  const early = await Promise.race([ended, Promise.resolve(null)]);
  if (early === null) announce(setup, dataDir);
  if (early === null && setup.demoDataPending) void addDemoData(installation, cli);
  const code = await ended;
  if (!signal.aborted) throw new Refusal(`the web process exited unexpectedly (code ${code})`);
}

/**
 * Runs the worker until shutdown. It keeps no state, so an unexpected exit restarts it, with a
 * longer delay after each early exit.
 * @param {Installation} installation
 */
async function keepWorker(installation) {
  const { signal } = installation;
  let wait = FIRST_WAIT_SECONDS;
  while (!signal.aborted) {
    const startedAt = performance.now();
    const code = await startProcess(installation, join(DIST, 'worker.js')).exited;
    if (signal.aborted) break;
    if (performance.now() - startedAt > STEADY_SECONDS * 1000) wait = FIRST_WAIT_SECONDS;
    const end = code > 128 ? `signal ${code - 128}` : `code ${code}`;
    console.error(
      `guildhall: the worker process exited unexpectedly (${end}); restarting in ${wait} s`,
    );
    await delay(wait * 1000, undefined, { signal }).catch(() => undefined);
    wait = Math.min(wait * 2, LONGEST_WAIT_SECONDS);
  }
  return 0;
}

/** @param {Installation} installation */
async function waitUntilReady({ env, signal }) {
  const host = !env.HOST || ['0.0.0.0', '::'].includes(env.HOST) ? '127.0.0.1' : env.HOST;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${env.PORT}/-/health`;
  const answers = () =>
    fetch(url, { signal: AbortSignal.timeout(5000) }).then(
      (response) => response.ok,
      // Not listening yet.
      () => false,
    );
  return poll(() => signal.aborted || answers(), { seconds: READY_SECONDS, everyMs: 100 });
}

await runMain(main);
