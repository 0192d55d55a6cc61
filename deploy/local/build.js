import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../bundle.js';
import { ASSETS_FOLDER, MADE_ASSETS, makeAssets } from '../styles.js';
import { claim, release } from './owner-file.js';
import { poll } from './processes.js';
import { Refusal } from './refusal.js';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const INPUTS = [
  'ormconfig.ts',
  'tsconfig.json',
  'nest-cli.json',
  '.swcrc',
  'package-lock.json',
  'deploy/bundle.js',
  'deploy/licenses.js',
  'deploy/styles.js',
];
const STAMP = join(ROOT, 'dist', '.built');

/**
 * Compiles the project when a source or setting is newer than the last build. Runs that start
 * at the same time build once.
 * @throws {Refusal} when the build fails; the compiler has said why on standard error
 */
export async function buildWhenStale() {
  if (!isStale()) return;
  const lock = join(ROOT, 'node_modules', '.guildhall-build.lock');
  if (!(await poll(() => claim(lock) === null, { seconds: 180 }))) {
    throw new Refusal('another build has been running for three minutes');
  }
  try {
    if (isStale()) await build();
  } finally {
    release(lock);
  }
}

/** Stamped with its beginning: what changes during a build is stale again. */
async function build() {
  const startedAt = new Date();
  await makeAssets();
  const nest = join(ROOT, 'node_modules', '.bin', 'nest');
  // Standard output is kept for results of the command that needed the build.
  const { status, error } = spawnSync(nest, ['build'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
  if (error || status !== 0) throw new Refusal('the build failed (npm run build shows it again)');
  await bundle();
  writeFileSync(STAMP, startedAt.toISOString());
}

function isStale() {
  if (![STAMP, ...MADE_ASSETS].every(existsSync)) return true;
  const builtAt = Date.parse(readFileSync(STAMP, 'utf8'));
  const newest = Math.max(
    ...INPUTS.map((name) => join(ROOT, name))
      .filter((path) => existsSync(path))
      .map(changedAt),
    newestBelow(join(ROOT, 'src')),
  );
  return newest > builtAt;
}

/** @param {string} path */
function changedAt(path) {
  return statSync(path).mtimeMs;
}

/**
 * Folders count too: removing a file changes only its folder. What a build itself makes does not.
 * @param {string} folder
 * @returns {number}
 */
function newestBelow(folder) {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const made = [ASSETS_FOLDER, ...MADE_ASSETS];
  const paths = entries
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !made.includes(path));
  return Math.max(changedAt(folder), ...paths.map(changedAt));
}
