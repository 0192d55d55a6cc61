import { spawn } from 'node:child_process';

/**
 * Runs a program on this terminal. Signals that ask this process to end are passed on.
 * @param {string} program
 * @param {string[]} given
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<number>} its exit code; 1 when a signal has ended it
 */
export function runInForeground(program, given, options) {
  const child = spawn(program, given, { ...options, stdio: 'inherit' });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => child.kill(signal));
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
