import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWhenStale, ROOT } from './local/build.js';
import { Refusal, runMain } from './local/refusal.js';
import { startLocalServices } from './local/services.js';
import { withTemporaryDatabase } from './local/temporary-database.js';

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
  const folder = mkdtempSync(join(tmpdir(), 'guildhall-drift-'));
  try {
    const drift = ['migration:generate', '--check', join(folder, 'drift')];
    const steps = [['migration:run'], drift, ['migration:revert'], ['migration:run'], drift];
    await withTemporaryDatabase(services.databaseUrl, ({ url }) => {
      for (const step of steps) typeorm(url, step);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
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

await runMain(main);
