import { randomBytes } from 'node:crypto';
import pg from 'pg';

/** One private, migrated database; `name` is unique and serves as prefix for other stores. */
export interface TestDatabase {
  name: string;
  url: string;
  drop(): Promise<void>;
}

/**
 * Clones the migrated template database, which takes some tens of milliseconds: as files, since
 * writing each page to the log takes three times as long. `drop` also ends connections that were
 * left open.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const template = requiredVariable('TEST_TEMPLATE_DATABASE');
  const name = `${template}_${randomBytes(5).toString('hex')}`;
  await administer(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const url = Object.assign(new URL(requiredVariable('TEST_ADMIN_DATABASE_URL')), {
    pathname: `/${name}`,
  }).href;
  return { name, url, drop: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) };
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: requiredVariable('TEST_ADMIN_DATABASE_URL') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function requiredVariable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the tests with \`npm test\``);
  return value;
}
