import { existsSync, readFileSync, rmSync } from 'node:fs';
import { freePort } from './ports.js';
import { poll } from './processes.js';
import { Refusal } from './refusal.js';

/**
 * @typedef {object} ServerRecipe
 * @property {string} name
 * @property {string} logFile
 * @property {number} [port] a free one unless it is given
 * @property {(port: number) => import('./guarded-process.js').GuardedProcess} launch
 * @property {(port: number) => string} urlOf
 * @property {(url: string) => Promise<boolean>} isReady
 */

/**
 * Starts a server on a free port and waits until it answers. A free port may be taken by
 * someone else before the server binds it, hence the retries.
 * @param {ServerRecipe} recipe
 * @returns {Promise<{ url: string, process: import('./guarded-process.js').GuardedProcess }>}
 */
export async function startWithRetries(recipe) {
  rmSync(recipe.logFile, { force: true });
  for (let attempt = 1; ; attempt += 1) {
    const started = await startOnce(recipe);
    if (started) return started;
    const portTaken = /address already in use/i.test(readLog(recipe.logFile));
    if (attempt === 3 || !portTaken) {
      throw new Refusal(
        `${recipe.name} did not start: ${lastLogLine(recipe.logFile)} (${recipe.logFile})`,
      );
    }
  }
}

/** @param {ServerRecipe} recipe */
async function startOnce(recipe) {
  const port = recipe.port ?? (await freePort());
  const url = recipe.urlOf(port);
  const server = recipe.launch(port);
  let ended = false;
  void server.exited.then(() => (ended = true));
  const ready = await poll(async () => ended || (await recipe.isReady(url)), {
    seconds: 60,
    everyMs: 25,
  });
  if (ready && !ended) return { url, process: server };
  await server.stop();
  return null;
}

/**
 * @param {string} logFile
 * @returns {string} the line most likely to say why a server ended
 */
export function lastLogLine(logFile) {
  const lines = readLog(logFile).trim().split('\n');
  const telling = lines.findLast((line) => /FATAL|PANIC|error|fail|can't/i.test(line));
  return (telling ?? lines.at(-1) ?? '').trim() || 'no message';
}

/** @param {string} logFile */
function readLog(logFile) {
  return existsSync(logFile) ? readFileSync(logFile, 'utf8') : '';
}
