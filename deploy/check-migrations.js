import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { buildWhenStale, ROOT } from './local/build.js';
import { Refusal, runMain } from './local/refusal.js';
import { startLocalServices } from './local/services.js';

/**
 * On an empty database: all migrations up, no difference left between entities and tables,
 * the newest one down and up again, and still no difference.
 */
async function main() {
  await buildWhenStale();
  const services = await startLocalServices({
    purpose: 'test',
    durable: false,
    databaseUrl: process.env.TEST_ADMIN_DATABASE_URL,
    redisUrl: process.env.TEST_REDIS_URL,
  });
  const name = `check_${process.pid}_${randomBytes(3).toString('hex')}`;
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-drift-'));
  const url = Object.assign(new URL(services.databaseUrl), { pathname: `/${name}` }).href;
  try {
    await administer(services.databaseUrl, `CREATE DATABASE ${name}`);
    const drift = ['migration:generate', '--check', join(folder, 'drift')];
    for (const step of [['migration:run'], drift, ['migration:revert'], ['migration:run'], drift]) {
      typeorm(url, step);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await administer(services.databaseUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await services.stop();
  }
}

/**
 * @param {string} url
 * @param {string[]} step
 */
function typeorm(url, step) {
  const cli = join(ROOT, 'node_modules', 'typeorm', 'cli.js');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [cli, ...step, '-d', 'dist/ormconfig.js'],
    { cwd: ROOT, encoding: 'utf8', env: { ...process.env, DATABASE_URL: url } },
  );
  if (status === 0) return;
  console.error(stdout + stderr);
  throw new Refusal(`${step[0]} failed`);
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

await runMain(main);
