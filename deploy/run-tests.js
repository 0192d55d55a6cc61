import { statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './local/build.js';
import { runInForeground } from './local/foreground.js';
import { MEMORY_ENV } from './local/memory-limits.js';
import { runMain } from './local/refusal.js';
import { startLocalServices } from './local/services.js';

const MEMORY_FOLDER = '/dev/shm';
const MEMORY_BYTES = 4 * 1024 ** 3;
const DEBUG_TIMEOUT_MS = 24 * 60 * 60 * 1000;

/**
 * `npm test [-- jest arguments]`: runs jest and takes its exit code. With --watch or --watchAll
 * the servers keep running between runs. With --inspect or --inspect-brk a single process runs all
 * files, with an inspector and without timeouts.
 */
async function main() {
  const given = withoutInspect(process.argv.slice(2));
  process.env.TMPDIR ||= temporaryFolder();
  if (!given.some((argument) => argument.startsWith('--watch'))) return runJest(given, process.env);
  const services = await startLocalServices({
    purpose: 'test',
    durable: false,
    databaseUrl: process.env.TEST_ADMIN_DATABASE_URL,
    redisUrl: process.env.TEST_REDIS_URL,
  });
  try {
    return await runJest(given, {
      ...process.env,
      TEST_ADMIN_DATABASE_URL: services.databaseUrl,
      TEST_REDIS_URL: services.redisUrl,
    });
  } finally {
    await services.stop();
  }
}

/**
 * Returns a folder in memory when there is plenty: PostgreSQL makes more than a thousand files for
 * each application of a test, and a disk takes longer for that than everything else does.
 */
function temporaryFolder() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    if (bavail * bsize > MEMORY_BYTES && freemem() > 2 * MEMORY_BYTES) return MEMORY_FOLDER;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
  }
  return tmpdir();
}

/**
 * Removes the inspector option, which is for the test process and not for jest.
 * @param {string[]} given
 */
function withoutInspect(given) {
  const option = given.find((argument) => /^--inspect(-brk)?(=|$)/.test(argument));
  if (option === undefined) return given;
  process.env.TEST_INSPECT = option;
  const others = given.filter((argument) => argument !== option);
  return [...others, '--runInBand', '--testTimeout', String(DEBUG_TIMEOUT_MS)];
}

/**
 * @param {string[]} given
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>}
 */
function runJest(given, env) {
  const config = given.includes('--config') ? [] : ['--config', 'test/jest.config.js'];
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  return runInForeground(process.execPath, [jest, ...config, ...given], {
    cwd: ROOT,
    env: { ...env, ...MEMORY_ENV },
  });
}

await runMain(main);
