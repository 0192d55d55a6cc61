import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import pg from 'pg';
import { startLocalServices } from '../deploy/local/services.js';

const ORMCONFIG = new URL('../dist/ormconfig.js', import.meta.url);

/** @type {(() => Promise<void>)[]} what global-teardown.js runs, last first */
export const cleanups = [];

/**
 * Starts the servers of the tests, or takes those of TEST_ADMIN_DATABASE_URL and TEST_REDIS_URL,
 * and builds the migrated template from which every test file clones its own database.
 */
export default async function globalSetup() {
  const services = await startLocalServices({
    purpose: 'test',
    durable: false,
    databaseUrl: process.env.TEST_ADMIN_DATABASE_URL,
    redisUrl: process.env.TEST_REDIS_URL,
  });
  cleanups.push(services.stop);
  // Its own name per run: several runs may share one server.
  const template = `gh_${process.pid}_${randomBytes(3).toString('hex')}`;
  cleanups.push(() => dropDatabases(services.databaseUrl, template));
  await buildTemplate(services.databaseUrl, template);
  process.env.TEST_ADMIN_DATABASE_URL = services.databaseUrl;
  process.env.TEST_REDIS_URL = services.redisUrl;
  process.env.TEST_TEMPLATE_DATABASE = template;
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

/** @param {string} url */
async function migrate(url) {
  if (!existsSync(ORMCONFIG)) throw new Error('dist is missing: run the tests with `npm test`');
  const previous = process.env.DATABASE_URL;
  process.env.DATABASE_URL = url;
  const { default: dataSource } = await import(ORMCONFIG.href);
  if (previous === undefined) delete process.env.DATABASE_URL;
  else process.env.DATABASE_URL = previous;
  await dataSource.initialize();
  await dataSource.runMigrations();
  await dataSource.destroy();
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
