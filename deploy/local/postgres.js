import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, openSync, closeSync, readFileSync } from 'node:fs';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startGuarded } from './guarded-process.js';
import { lastLogLine, startWithRetries } from './start-server.js';
import { Refusal } from './refusal.js';

const NOT_DURABLE = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  // It is for tables larger than those of tests.
  autovacuum: 'off',
  // Most statements of tests run a few times on a connection, each time planned for their values.
  plan_cache_mode: 'force_generic_plan',
};

/**
 * @typedef {object} PostgresOptions
 * @property {import('./postgres-binaries.js').PostgresBinaries} binaries
 * @property {import('./postgres-user.js').Identity} identity
 * @property {string} folder the cluster
 * @property {string} passwordFile
 * @property {string} logFile
 * @property {boolean} durable false only for disposable data
 * @property {string} [ownerFile]
 * @property {number} [port] a free one unless it is given
 * @property {boolean} temporary the folder goes when the server ends
 */

/**
 * Starts a private PostgreSQL on a port of 127.0.0.1, making its cluster first.
 * @param {PostgresOptions} options
 * @returns {Promise<{ url: string, process: import('./guarded-process.js').GuardedProcess }>}
 */
export async function startPostgres(options) {
  const password = clusterPassword(options);
  if (!existsSync(join(options.folder, 'PG_VERSION'))) await makeCluster(options, password);
  return startWithRetries({
    name: 'PostgreSQL',
    logFile: options.logFile,
    ...(options.port !== undefined && { port: options.port }),
    launch: (port) => launch(options, port),
    urlOf: (port) => `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`,
    isReady: acceptsQueries,
  });
}

/**
 * Makes a database unless it is there.
 * @param {string} url of any database of the server
 * @param {string} name
 * @returns {Promise<string>} its URL
 */
export async function ensureDatabase(url, name) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (!rowCount) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

/**
 * @param {PostgresOptions} options
 * @param {number} port
 */
function launch(options, port) {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(options.durable ? {} : NOT_DURABLE),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const output = openSync(options.logFile, 'a', 0o600);
  try {
    return startGuarded({
      command: options.binaries.postgres,
      args: ['-D', options.folder, ...flags],
      identity: options.identity,
      output: [output, output],
      // SIGINT is the fast shutdown: it ends sessions; SIGTERM would wait for them.
      stopSignal: 'INT',
      graceSeconds: 20,
      ownerFile: options.ownerFile,
      removeFolder: options.temporary ? options.folder : undefined,
    });
  } finally {
    closeSync(output);
  }
}

/** @param {PostgresOptions} options */
function clusterPassword({ passwordFile }) {
  if (!existsSync(passwordFile)) {
    writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  }
  return readFileSync(passwordFile, 'utf8').trim();
}

/**
 * @param {PostgresOptions} options
 * @param {string} password
 */
async function makeCluster({ binaries, identity, folder, durable, logFile }, password) {
  // A cluster without PG_VERSION is the rest of an initdb that was interrupted.
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, gid } = identity;
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  // The built-in locale sorts alike on every system, whatever locales that system has.
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8'];
  const access = ['--username=postgres', '--auth=scram-sha-256', '--pwfile=/dev/stdin'];
  const speed = durable ? [] : ['--no-sync', '--no-data-checksums'];
  const args = [`--pgdata=${folder}`, ...locale, ...access, ...speed];
  // Through `cat`: Node's own pipes are sockets, which /dev/stdin cannot open again.
  const child = spawn('/bin/sh', ['-c', 'cat | "$@" 2>&1', 'sh', binaries.initdb, ...args], {
    ...identity,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
    env: cleanEnvironment(),
  });
  child.stdin.end(`${password}\n`);
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code === 0) return;
  writeFileSync(logFile, output, { mode: 0o600 });
  rmSync(folder, { recursive: true, force: true });
  throw new Refusal(`PostgreSQL could not make its data folder: ${lastLogLine(logFile)}`);
}

/** Without the caller's PG* and LC_* variables, which would change what initdb does. */
function cleanEnvironment() {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: 'C' };
}

/** @param {string} url */
async function acceptsQueries(url) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  // Shutting down ends this connection: that is an answer, not a defect.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
