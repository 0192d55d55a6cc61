import { join } from 'node:path';
import { ROOT } from '../../deploy/local/build.js';
import { startGuarded } from '../../deploy/local/guarded-process.js';
import { freePort } from '../../deploy/local/ports.js';
import { poll } from '../../deploy/local/processes.js';
import { benchFolder } from './fixtures.js';

/**
 * Starts a program of this folder that listens on `PORT`; resolves when it answers.
 * @param {string} program
 * @param {NodeJS.ProcessEnv} [env] further environment
 */
export async function startNodePeer(program, env = {}) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = startGuarded({
    command: process.execPath,
    args: [join(ROOT, 'bench', 'support', program)],
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), ...env },
    cwd: ROOT,
    output: ['inherit', 'inherit'],
    stopSignal: 'TERM',
    graceSeconds: 5,
    ownerFile: join(await benchFolder(), `${program}.owner`),
  });
  const answers = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  if (!(await poll(answers, { seconds: 20, everyMs: 50 }))) throw new Error(`${program} is silent`);
  return { url, stop: () => child.stop() };
}
