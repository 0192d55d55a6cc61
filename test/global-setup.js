import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { buildTests } from '../deploy/local/build-tests.js';
import { buildWhenStale } from '../deploy/local/build.js';
import { startLocalServices } from '../deploy/local/services.js';

const MIGRATE = new URL('runner/migrate.js', import.meta.url);

/** @type {(() => Promise<void>)[]} run by global-teardown.js, last first */
export const cleanups = [];

/** @typedef {Record<string, string>} TestVariables environment variables of the test processes */

/** @type {Promise<TestVariables> | undefined} */
let variables;

/**
 * Builds what has changed since the last run and begins to start the servers; the runner awaits
 * `testVariables()` while its processes load the application.
 */
export default async function globalSetup() {
  const built = buildWhenStale().then(buildTests);
  variables = startServers(built);
  // The runner reports it; this keeps an early failure from ending the process first.
  variables.catch(() => undefined);
  await built;
}

/** Resolves once the servers run, with what test processes have to know of them. */
export async function testVariables() {
  if (variables === undefined) throw new Error('global-setup.js has not run');
  return variables;
}

/**
 * Starts the servers of the tests, or takes those of TEST_ADMIN_DATABASE_URL and TEST_REDIS_URL,
 * and migrates the template that every application's database is cloned from.
 * @param {Promise<void>} built the migrations
 * @returns {Promise<TestVariables>}
 */
async function startServers(built) {
  const dataRoot = await mkdtemp(join(tmpdir(), 'guildhall-tests-'));
  cleanups.push(() => rm(dataRoot, { recursive: true, force: true }));
  const services = await startLocalServices({
    purpose: 'test',
    durable: false,
    databaseUrl: process.env.TEST_ADMIN_DATABASE_URL,
    redisUrl: process.env.TEST_REDIS_URL,
  });
  cleanups.push(services.stop);
  await built;
  // Its own name per run: several runs may share one server.
  const template = `gh_${process.pid}_${randomBytes(3).toString('hex')}`;
  cleanups.push(() => dropDatabases(services.databaseUrl, template));
  await buildTemplate(services.databaseUrl, template);
  return {
    TEST_ADMIN_DATABASE_URL: services.databaseUrl,
    TEST_REDIS_URL: services.redisUrl,
    TEST_TEMPLATE_DATABASE: template,
    TEST_DATA_ROOT: dataRoot,
  };
}

/**
 * @param {string} adminUrl
 * @param {string} template
 */
async function buildTemplate(adminUrl, template) {
  await withClient(adminUrl, (client) => client.query(`CREATE DATABASE ${template}`));
  await migrate(Object.assign(new URL(adminUrl), { pathname: `/${template}` }).href);
  // Cloning needs a source without connections. Not IS_TEMPLATE: that could not be dropped.
  await withClient(adminUrl, (client) =>
    client.query(`ALTER DATABASE ${template} ALLOW_CONNECTIONS false`),
  );
}

/**
 * Runs in its own thread, which loads the current migrations in each run of a watching jest.
 * @param {string} url
 */
async function migrate(url) {
  const thread = new Worker(MIGRATE, { env: { ...process.env, DATABASE_URL: url } });
  const [code] = await once(thread, 'exit');
  if (code !== 0) throw new Error('the test database migration failed');
}

/**
 * Also drops the clones of test files that ended without dropping theirs.
 * @param {string} adminUrl
 * @param {string} template
 */
async function dropDatabases(adminUrl, template) {
  await withClient(adminUrl, async (client) => {
    const { rows } = await client.query(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [template],
    );
    for (const { datname } of rows) await client.query(`DROP DATABASE ${datname} WITH (FORCE)`);
  });
}

/**
 * @template T
 * @param {string} url
 * @param {(client: pg.Client) => Promise<T>} work
 */
async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
