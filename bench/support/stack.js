import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ROOT } from '../../deploy/local/build.js';
import { startGuarded } from '../../deploy/local/guarded-process.js';
import { MEMORY_ENV, NODE_FLAGS } from '../../deploy/local/memory-limits.js';
import { freePort } from '../../deploy/local/ports.js';
import { poll } from '../../deploy/local/processes.js';
import { startLocalServices } from '../../deploy/local/services.js';
import { benchFolder } from './fixtures.js';

/**
 * A running Guildhall with durable servers of its own, as production runs it.
 * @typedef {object} Stack
 * @property {string} url
 * @property {string} databaseUrl
 * @property {string} token an administrator's, with every scope
 * @property {(name: 'default' | 'storage2') => string} storage root folder of a storage
 * @property {number} webPid
 * @property {number} workerPid 0 without a worker
 * @property {number} readyMs from the start of the web process to its first answer
 * @property {(method: string, path: string, body?: object) => Promise<any>} api JSON of an API v4 call
 * @property {() => Promise<void>} stop
 */

/**
 * Starts PostgreSQL, Redis, web and worker below a new folder.
 * @param {NodeJS.ProcessEnv} [extra] further environment of both processes
 * @param {{ logs?: number | 'inherit', node?: string, relay?: (databaseUrl: string) => Promise<string>,
 *   home?: string, fill?: (databaseUrl: string) => Promise<void>, isAlone?: boolean }} [options]
 *   an open file that takes the log of both; another Node that runs them; returns the address at
 *   which the web process reaches the database; a folder that is kept with all data, and is filled
 *   by `fill` when it is new; without a worker
 * @returns {Promise<Stack>}
 */
export async function startStack(
  extra = {},
  { logs = 'inherit', node: nodeProgram = process.execPath, relay, home, fill, isAlone } = {},
) {
  const isNew = home === undefined || !existsSync(home);
  if (home !== undefined) await mkdir(home, { recursive: true });
  const folder = home ?? (await mkdtemp(join(await benchFolder(), 'stack-')));
  // Under root PostgreSQL runs as a user of its own, who has to get through.
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'data');
  const services = await startLocalServices({ purpose: 'bench', durable: true, dataDir });
  const port = await freePort();
  const token = extra['INITIAL_ROOT_TOKEN'] ?? `svcpat-${randomBytes(20).toString('hex')}`;
  const env = {
    ...process.env,
    ...MEMORY_ENV,
    NODE_ENV: 'production',
    SECRET_KEY: randomBytes(32).toString('hex'),
    DATABASE_URL: services.databaseUrl,
    REDIS_URL: services.redisUrl,
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    INITIAL_ROOT_TOKEN: token,
    DEMO_DATA: 'false',
    LOG_LEVEL: 'warn',
    RATE_LIMITS: 'off',
    // Figures are of one process, whatever the machine has.
    WEB_PROCESSES: '1',
    ...extra,
  };
  /** @param {string[]} args */
  const node = (...args) =>
    startGuarded({
      command: nodeProgram,
      args: [...NODE_FLAGS, join(ROOT, 'dist', args[0] ?? ''), ...args.slice(1)],
      env,
      cwd: ROOT,
      output: [args.length > 1 ? 'pipe' : logs, 'inherit'],
      stopSignal: 'TERM',
      graceSeconds: 30,
      ownerFile: join(folder, `${args[0]}.owner`),
    });
  const setup = node('cli.js', 'setup');
  await Promise.all([setup.stdout ? text(setup.stdout) : '', setup.exited]);
  if (isNew) await fill?.(services.databaseUrl);
  const started = Date.now();
  env.DATABASE_URL = (await relay?.(services.databaseUrl)) ?? services.databaseUrl;
  const web = node('main.js');
  env.DATABASE_URL = services.databaseUrl;
  await waitForHealth(env.BASE_URL);
  const readyMs = Date.now() - started;
  const worker = isAlone === true ? null : node('worker.js');
  const stop = async () => {
    await Promise.all([web.stop(), worker?.stop()]);
    await services.stop();
    if (home === undefined) await rm(folder, { recursive: true, force: true });
  };
  return {
    url: env.BASE_URL,
    databaseUrl: services.databaseUrl,
    token,
    storage: (name) => join(dataDir, 'storages', name),
    webPid: await pidListening(port),
    workerPid: worker === null ? 0 : await childOf(worker.guardPid),
    readyMs,
    api: (method, path, body) => callApi(`${env.BASE_URL}/api/v4${path}`, { method, token, body }),
    stop,
  };
}

/** @param {string} url */
async function waitForHealth(url) {
  const answers = () =>
    fetch(`${url}/-/health`).then(
      (response) => response.ok,
      () => false,
    );
  if (!(await poll(answers, { seconds: 60, everyMs: 10 }))) throw new Error('web did not start');
}

/**
 * @param {string} url
 * @param {{ method: string, token: string, body?: object | undefined }} call
 */
async function callApi(url, { method, token, body }) {
  const response = await fetch(url, {
    method,
    headers: { 'private-token': token, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${answer}`);
  return answer === '' ? null : JSON.parse(answer);
}

/**
 * Waits for the guard to start its process.
 * @param {number} guardPid
 * @returns {Promise<number>} pid of the process that it guards
 */
async function childOf(guardPid) {
  let child = '';
  const isStarted = async () => {
    child = spawnSync('pgrep', ['-oP', String(guardPid)], { encoding: 'utf8' }).stdout.trim();
    return child !== '';
  };
  if (!(await poll(isStarted, { seconds: 10, everyMs: 20 }))) throw new Error('no worker started');
  return Number(child);
}

/** @param {number} port @returns {Promise<number>} pid of the process that listens there */
async function pidListening(port) {
  const table = execFileSync('ss', ['-ltnpH', `sport = :${port}`], { encoding: 'utf8' });
  return Number(/pid=(\d+)/.exec(table)?.[1] ?? 0);
}

/**
 * Where a project's repository lies below a storage's root.
 * @param {number} projectId
 */
export function projectPath(projectId) {
  const hash = createHash('sha256').update(String(projectId)).digest('hex');
  return `@hashed/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}.git`;
}
