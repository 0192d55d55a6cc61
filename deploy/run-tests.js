import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './local/build.js';
import { runMain } from './local/refusal.js';
import { startLocalServices } from './local/services.js';

/**
 * `npm test [-- jest arguments]`: runs jest and takes its exit code. With --watch or --watchAll
 * the servers run for as long as jest watches, instead of being started for every run.
 */
async function main() {
  const given = process.argv.slice(2);
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
 * @param {string[]} given
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<number>}
 */
function runJest(given, env) {
  const config = given.includes('--config') ? [] : ['--config', 'test/jest.config.js'];
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const child = spawn(process.execPath, [jest, ...config, ...given], {
    cwd: ROOT,
    stdio: 'inherit',
    env,
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

await runMain(main);
