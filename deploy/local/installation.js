import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from './build.js';
import { requireGit } from './git-program.js';
import { startGuarded } from './guarded-process.js';
import { MEMORY_ENV, NODE_FLAGS } from './memory-limits.js';
import { freePort, portProblem } from './ports.js';
import { Refusal } from './refusal.js';
import { startLocalServices } from './services.js';

const GRACE_SECONDS = 30;
/** Names the servers while they run; src/config/local-servers.ts reads it. */
const SERVERS = 'servers.json';

/**
 * Output of `guildhall setup`; secrets only when it created them.
 * @typedef {object} SetupResult
 * @property {string} baseUrl
 * @property {string} username
 * @property {string} [password]
 * @property {string} [token]
 * @property {boolean} [demoDataPending]
 *
 * @typedef {object} Installation
 * @property {NodeJS.ProcessEnv} env environment of all processes
 * @property {string} dataDir
 * @property {AbortSignal} signal aborted on shutdown
 * @property {{ stop: () => Promise<void> }[]} children stopped before the servers
 */

/**
 * Starts the servers that store data below DATA_DIR and runs `work` until it ends or a signal
 * arrives, then stops processes and servers in order.
 * @param {(installation: Installation) => Promise<void>} work
 */
export async function withInstallation(work) {
  const stopping = new AbortController();
  // npm forwards a signal that the terminal has already sent, so a second one does not force an
  // exit.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => stopping.abort());
  }
  requireGit();
  const dataDir = resolve(process.env.DATA_DIR || '.data');
  const given = { databaseUrl: givenUrl('DATABASE_URL'), redisUrl: givenUrl('REDIS_URL') };
  const services = await startLocalServices({ purpose: 'start', durable: true, dataDir, ...given });
  /** @type {Installation} */
  const installation = {
    dataDir,
    signal: stopping.signal,
    children: [],
    env: { ...process.env, ...MEMORY_ENV },
  };
  const { env, signal, children } = installation;
  env.DATA_DIR = dataDir;
  env.DEMO_DATA ||= 'true';
  if (!given.databaseUrl) env.DATABASE_URL = services.databaseUrl;
  if (!given.redisUrl) env.REDIS_URL = services.redisUrl;
  try {
    await Promise.race([work(installation), aborted(signal)]);
  } finally {
    stopping.abort();
    rmSync(join(dataDir, SERVERS), { force: true });
    await Promise.all(children.map((child) => child.stop()));
    await services.stop();
  }
}

/**
 * Writes the addresses of the servers for commands of the same user.
 * @param {Installation} installation
 */
export function publishServers({ env, dataDir }) {
  const path = join(dataDir, SERVERS);
  const names = ['DATABASE_URL', 'REDIS_URL', 'BASE_URL', 'PORT', 'STORAGES'];
  const given = names.filter((name) => env[name]).map((name) => [name, env[name]]);
  const content = JSON.stringify({ pid: process.pid, env: Object.fromEntries(given) }, null, 2);
  writeFileSync(`${path}.new`, `${content}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/**
 * Migrates the database and seeds an empty one. Commands find the servers from now on.
 * @param {Installation} installation
 * @param {string} cli path of the bundled CLI
 * @returns {Promise<SetupResult>}
 */
export async function runSetup(installation, cli) {
  publishServers(installation);
  const setup = startProcess(installation, cli, ['setup', '--defer-demo-data']);
  const [output, code] = await Promise.all([setup.stdout ? text(setup.stdout) : '', setup.exited]);
  installation.signal.throwIfAborted();
  if (code !== 0) throw new Refusal(`database setup failed (code ${code}), see above`);
  return JSON.parse(output);
}

/**
 * Starts a bundled program; with arguments, its standard output is piped to the caller.
 * @param {Installation} installation
 * @param {string} path
 * @param {string[]} [args]
 */
export function startProcess({ env, dataDir, signal, children }, path, args) {
  signal.throwIfAborted();
  const child = startGuarded({
    command: process.execPath,
    args: [...NODE_FLAGS, path, ...(args ?? [])],
    env,
    cwd: ROOT,
    output: [args ? 'pipe' : 'inherit', 'inherit'],
    stopSignal: 'TERM',
    graceSeconds: GRACE_SECONDS,
    ownerFile: join(dataDir, `${basename(path)}.owner`),
  });
  children.push(child);
  return child;
}

/**
 * Returns PORT, or a free port when it is 0.
 * @param {NodeJS.ProcessEnv} env
 * @throws {Refusal} when it is in use
 */
export async function usablePort({ PORT, HOST }) {
  const port = Number(PORT || 3000);
  if (port === 0) return freePort();
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Refusal(`PORT must be between 0 and 65535, not "${PORT}"`);
  }
  const problem = await portProblem(port, HOST);
  if (problem === 'EADDRINUSE') {
    throw new Refusal(`port ${port} is already in use: stop the other program or set PORT`);
  }
  if (problem)
    throw new Refusal(`cannot listen on port ${port} of ${HOST ?? 'this machine'} (${problem})`);
  return port;
}

/**
 * Completes the demo data beside the running processes; the next start goes on where it ended.
 * @param {Installation} installation
 * @param {string} cli path of the bundled CLI
 */
export async function addDemoData(installation, cli) {
  const demo = startProcess(installation, cli, ['demo-data']);
  demo.stdout?.resume();
  const code = await demo.exited;
  if (code === 0) console.log('The demo data is complete.');
  else if (!installation.signal.aborted) console.error('guildhall: the demo data is incomplete');
}

/**
 * Prints the URL and, on first start, the credentials.
 * @param {SetupResult} setup
 * @param {string} dataDir
 */
export function announce({ baseUrl, username, password, token }, dataDir) {
  const lines = ['', `Guildhall is ready at ${baseUrl}`, `  data      ${dataDir}`];
  if (password) lines.push(`  sign in   ${username} / ${password}`);
  if (token) lines.push(`  token     ${token}`);
  if (password || token) lines.push('  (shown only once)');
  else lines.push(`  sign in   ${username} (password from the first start)`);
  console.log([...lines, 'Press Ctrl-C to stop.', ''].join('\n'));
}

/**
 * Resolves on shutdown.
 * @param {AbortSignal} signal
 */
export function aborted(signal) {
  return new Promise((done) => {
    if (signal.aborted) done(undefined);
    signal.addEventListener('abort', done, { once: true });
  });
}

/**
 * @param {string} name
 * @returns {string | undefined} the variable, or the content of its _FILE variant
 */
function givenUrl(name) {
  const file = process.env[`${name}_FILE`];
  if (process.env[name]) return process.env[name];
  if (!file) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    throw new Refusal(`${name}_FILE: cannot read ${file} (${code})`);
  }
}
