import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildWhenStale, ROOT } from './local/build.js';
import { runMain } from './local/refusal.js';

/** `npm test [-- jest arguments]`: builds what is stale, then runs jest and takes its exit code. */
async function main() {
  await buildWhenStale();
  const given = process.argv.slice(2);
  const config = given.includes('--config') ? [] : ['--config', 'test/jest.config.js'];
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  // Jest runs ES modules only with this flag of Node, also in its workers.
  const options = `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --no-warnings`;
  const child = spawn(process.execPath, [jest, ...config, ...given], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, NODE_OPTIONS: options.trim() },
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
