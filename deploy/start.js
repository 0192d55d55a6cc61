import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildWhenStale, ROOT } from './local/build.js';
import { requireGit } from './local/git-program.js';
import { startGuarded } from './local/guarded-process.js';
import { MEMORY_ENV, NODE_FLAGS } from './local/memory-limits.js';
import { freePort, portProblem } from './local/ports.js';
import { poll } from './local/processes.js';
import { Refusal, runMain } from './local/refusal.js';
import { startLocalServices } from './local/services.js';

const GRACE_SECONDS = 30;
const READY_SECONDS = 120;

/**
 * What `guildhall setup` prints; the secrets only when it made them.
 * @typedef {{ baseUrl: string, username: string, password?: string, token?: string }} SetupResult
 *
 * @typedef {object} Run
 * @property {NodeJS.ProcessEnv} env of our processes
 * @property {string} dataDir
 * @property {AbortSignal} signal aborted when we are to stop
 * @property {import('./local/guarded-process.js').GuardedProcess[]} children
 */

/** `npm start`: servers, migrations, web and worker in one terminal; Ctrl-C stops them in order. */
async function main() {
  const stopping = new AbortController();
  // npm passes on the signal the terminal has already sent us: the second one is no order to hurry.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => stopping.abort());
  }
  requireGit();
  const dataDir = resolve(process.env.DATA_DIR || '.data');
  const given = { databaseUrl: givenUrl('DATABASE_URL'), redisUrl: givenUrl('REDIS_URL') };
  const services = await startLocalServices({ purpose: 'start', durable: true, dataDir, ...given });
  /** @type {Run} */
  const run = {
    dataDir,
    signal: stopping.signal,
    children: [],
    env: { ...process.env, ...MEMORY_ENV },
  };
  run.env.DATA_DIR = dataDir;
  run.env.DEMO_DATA ||= 'true';
  if (!given.databaseUrl) run.env.DATABASE_URL = services.databaseUrl;
  if (!given.redisUrl) run.env.REDIS_URL = services.redisUrl;
  try {
    await Promise.race([runGuildhall(run), aborted(run.signal)]);
  } finally {
    stopping.abort();
    await Promise.all(run.children.map((child) => child.stop()));
    await services.stop();
  }
}

/**
 * Returns only by a Refusal: the processes are meant to run until they are stopped.
 * @param {Run} run
 */
async function runGuildhall(run) {
  run.env.PORT = String(await usablePort(run.env));
  await buildWhenStale();
  const setup = await runSetup(run);
  const web = startProcess(run, 'main.js');
  const worker = startProcess(run, 'worker.js');
  const ended = Promise.race([
    web.exited.then((code) => ({ name: 'web', code })),
    worker.exited.then((code) => ({ name: 'worker', code })),
  ]);
  const ready = await Promise.race([waitUntilReady(run), ended.then(() => true)]);
  if (!ready) throw new Refusal(`the web process did not get ready in ${READY_SECONDS} seconds`);
  const early = await Promise.race([ended, Promise.resolve(null)]);
  if (early === null) announce(setup, run.dataDir);
  const { name, code } = await ended;
  if (!run.signal.aborted) throw new Refusal(`the ${name} process ended by itself (code ${code})`);
}

/** @param {Run} run */
async function runSetup(run) {
  const setup = startProcess(run, 'cli.js', ['setup']);
  const [output, code] = await Promise.all([setup.stdout ? text(setup.stdout) : '', setup.exited]);
  run.signal.throwIfAborted();
  if (code !== 0) throw new Refusal(`the setup of the database failed (code ${code}), see above`);
  return /** @type {SetupResult} */ (JSON.parse(output));
}

/**
 * @param {Run} run
 * @param {string} file below dist
 * @param {string[]} [args]
 */
function startProcess({ env, dataDir, signal, children }, file, args) {
  signal.throwIfAborted();
  const child = startGuarded({
    command: process.execPath,
    args: [...NODE_FLAGS, join(ROOT, 'dist', file), ...(args ?? [])],
    env,
    cwd: ROOT,
    output: [args ? 'pipe' : 'inherit', 'inherit'],
    stopSignal: 'TERM',
    graceSeconds: GRACE_SECONDS,
    ownerFile: join(dataDir, `${file}.owner`),
  });
  children.push(child);
  return child;
}

/** @param {NodeJS.ProcessEnv} env */
async function usablePort({ PORT, HOST }) {
  const port = Number(PORT || 3000);
  if (port === 0) return freePort();
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Refusal(`PORT must be a number up to 65535, not "${PORT}"`);
  }
  const problem = await portProblem(port, HOST);
  if (problem === 'EADDRINUSE') {
    throw new Refusal(`port ${port} is taken by another program: stop it or set PORT`);
  }
  if (problem)
    throw new Refusal(`port ${port} of ${HOST ?? 'this machine'} cannot be used (${problem})`);
  return port;
}

/** @param {Run} run */
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

/**
 * @param {SetupResult} setup
 * @param {string} dataDir
 */
function announce({ baseUrl, username, password, token }, dataDir) {
  const lines = ['', `Guildhall is ready at ${baseUrl}`, `  data      ${dataDir}`];
  if (password) lines.push(`  sign in   ${username} / ${password}`);
  if (token) lines.push(`  token     ${token}`);
  if (password || token) lines.push('  (shown only this once)');
  else lines.push(`  sign in   ${username}, with the password of the first start`);
  console.log([...lines, 'Ctrl-C stops it.', ''].join('\n'));
}

/** @param {AbortSignal} signal */
function aborted(signal) {
  return new Promise((done) => {
    if (signal.aborted) done(undefined);
    signal.addEventListener('abort', done, { once: true });
  });
}

/**
 * @param {string} name
 * @returns {string | undefined} the variable, or what the file named by its _FILE variant holds
 */
function givenUrl(name) {
  const file = process.env[`${name}_FILE`];
  if (process.env[name]) return process.env[name];
  if (!file) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new Refusal(`${name}_FILE names ${file}, which cannot be read (${code})`);
  }
}

await runMain(main);
