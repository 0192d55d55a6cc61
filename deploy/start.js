import { join } from 'node:path';
import { buildWhenStale, ROOT } from './local/build.js';
import {
  announce,
  runSetup,
  startProcess,
  usablePort,
  withInstallation,
} from './local/installation.js';
import { poll } from './local/processes.js';
import { Refusal, runMain } from './local/refusal.js';

const READY_SECONDS = 120;
const DIST = join(ROOT, 'dist');

/** @typedef {import('./local/installation.js').Installation} Installation */

/** `npm start`: servers, migrations, web and worker in one terminal; Ctrl-C stops them in order. */
async function main() {
  await withInstallation(runGuildhall);
}

/**
 * Returns only by a Refusal: the processes are meant to run until they are stopped.
 * @param {Installation} installation
 */
async function runGuildhall(installation) {
  const { env, signal, dataDir } = installation;
  env.PORT = String(await usablePort(env));
  await buildWhenStale();
  const setup = await runSetup(installation, join(DIST, 'cli.js'));
  const web = startProcess(installation, join(DIST, 'main.js'));
  const worker = startProcess(installation, join(DIST, 'worker.js'));
  const ended = Promise.race([
    web.exited.then((code) => ({ name: 'web', code })),
    worker.exited.then((code) => ({ name: 'worker', code })),
  ]);
  const ready = await Promise.race([waitUntilReady(installation), ended.then(() => true)]);
  if (!ready) throw new Refusal(`the web process did not get ready in ${READY_SECONDS} seconds`);
  const early = await Promise.race([ended, Promise.resolve(null)]);
  if (early === null) announce(setup, dataDir);
  const { name, code } = await ended;
  if (!signal.aborted) throw new Refusal(`the ${name} process ended by itself (code ${code})`);
}

/** @param {Installation} installation */
async function waitUntilReady({ env, signal }) {
  const host = !env.HOST || ['0.0.0.0', '::'].includes(env.HOST) ? '127.0.0.1' : env.HOST;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${env.PORT}/-/health`;
  const answers = () =>
    fetch(url, { signal: AbortSignal.timeout(5000) }).then(
      (response) => response.ok,
      // Not listening yet.
      () => false,
    );
  return poll(() => signal.aborted || answers(), { seconds: READY_SECONDS, everyMs: 100 });
}

await runMain(main);
