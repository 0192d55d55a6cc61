import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUNDLED_FOLDERS, LICENSES, NATIVE_PACKAGES } from './bundle.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const BUNDLE_FILE = /^(main|worker|cli|fork-server|highlight-thread|chunk-.*)\.js(\.map)?$/;

/**
 * Copies everything that production runs, and nothing else, into a folder: the bundle, the packages
 * it loads from node_modules, and the files it reads.
 * @param {string} folder replaced when it exists
 */
export function makeRelease(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'docs/openapi.json', 'deploy/docker-entrypoint.sh']) {
    copy(file, folder);
  }
  for (const path of [...BUNDLED_FOLDERS, LICENSES]) copy(join('dist', path), folder);
  for (const name of readdirSync(DIST).filter((file) => BUNDLE_FILE.test(file))) {
    copy(join('dist', name), folder);
  }
  for (const name of NATIVE_PACKAGES) copyPackage(join('node_modules', name), folder);
}

/**
 * @param {string} path below the checkout
 * @param {string} folder
 */
function copy(path, folder) {
  cpSync(join(ROOT, path), join(folder, path), { recursive: true });
}

/**
 * Copies a native package with its dependencies; of the optional ones, those that are installed:
 * native packages have one per platform.
 * @param {string} path
 * @param {string} folder
 */
function copyPackage(path, folder) {
  if (existsSync(join(folder, path))) return;
  copy(path, folder);
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    readFileSync(join(ROOT, path, 'package.json'), 'utf8'),
  );
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const needed = join('node_modules', name);
    if (existsSync(join(ROOT, needed))) copyPackage(needed, folder);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  makeRelease(resolve(process.argv[2] ?? join(ROOT, 'release')));
}
