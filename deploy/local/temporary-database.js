import { randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * Runs `work` with an empty database of its own, which is dropped afterwards.
 * @param {string} adminUrl of any database of the server
 * @param {(database: { name: string, url: string }) => Promise<void> | void} work
 */
export async function withTemporaryDatabase(adminUrl, work) {
  const name = `check_${process.pid}_${randomBytes(3).toString('hex')}`;
  const url = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href;
  try {
    await administer(adminUrl, `CREATE DATABASE ${name}`);
    await work({ name, url });
  } finally {
    await administer(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
}

/**
 * @param {string} url
 * @param {string} statement
 */
async function administer(url, statement) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
