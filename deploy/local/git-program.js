import { spawnSync } from 'node:child_process';
import { Refusal } from './refusal.js';

const MINIMUM = /** @type {const} */ ([2, 38]);

/**
 * @param {NodeJS.ProcessEnv} [env] whose PATH is searched
 * @throws {Refusal} when there is no git, or one that is too old
 */
export function requireGit(env = process.env) {
  const { stdout, error } = spawnSync('git', ['--version'], { encoding: 'utf8', env });
  const needed = MINIMUM.join('.');
  if (error) throw new Refusal(`git ${needed} or newer is needed and there is none on PATH`);
  const [major = 0, minor = 0] = (/^\D*(\d+)\.(\d+)/.exec(stdout) ?? []).slice(1).map(Number);
  const isEnough = major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1]);
  if (!isEnough) throw new Refusal(`git ${needed} or newer is needed, this is ${stdout.trim()}`);
}
