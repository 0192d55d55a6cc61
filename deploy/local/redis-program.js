import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from './build.js';
import { Refusal } from './refusal.js';

/** @typedef {{ command: string, libraries: string[] }} RedisProgram */

const NAMES = ['redis-server', 'valkey-server'];
const TIMEOUT_MS = 180_000;

/** How to get the program by hand. */
export const REDIS_BY_HAND =
  'Debian: apt-get install redis-server · Fedora: dnf install valkey · Alpine: apk add redis · macOS: brew install redis';

/**
 * Scripts by package manager that download the packages into an empty folder and unpack them there.
 * They need no root and change nothing on the system.
 */
const DOWNLOADS = {
  // With lists of its own: those of the system can be empty, and only root may renew them. The
  // simulated installation names the missing libraries.
  'apt-get': `
    mkdir -p lists/partial cache/archives/partial
    set -- -qq -o "Dir::State::lists=$PWD/lists" -o "Dir::Cache=$PWD/cache" -o APT::Sandbox::User=
    set -- "$@" -o Debug::NoLocking=1
    apt-get "$@" update
    for server in redis valkey; do
      missing=$(apt-get "$@" -s --no-install-recommends install "$server-server" |
        awk '/^Inst/ { print $2 }') || continue
      apt-get "$@" download $missing || continue
      ls *.deb | grep -q tools || apt-get "$@" download "$server-server" "$server-tools"
      break
    done
    for package in *.deb; do dpkg -x "$package" .; done
    rm -rf lists cache *.deb`,
  apk: `
    apk fetch --quiet --recursive redis || apk fetch --quiet --recursive valkey
    for package in *.apk; do tar -xzf "$package"; done
    rm -f *.apk`,
  dnf: `
    dnf -q --setopt="cachedir=$PWD/cache" download valkey ||
      dnf -q --setopt="cachedir=$PWD/cache" download redis
    for package in *.rpm; do rpm2cpio "$package" | cpio -idm --quiet; done
    rm -rf cache *.rpm`,
};

/**
 * The Redis or Valkey server on PATH, else the one of the distribution, downloaded once into the
 * folder and run from there.
 * @param {string} folder
 * @returns {RedisProgram | null} null when there is none and none can be downloaded
 */
export function findRedis(folder) {
  const installed = NAMES.map((command) => ({ command, libraries: [] })).find(runs);
  if (installed) return installed;
  const home = join(folder, 'redis-program');
  return unpackedBelow(home) ?? downloadRedis(home);
}

/**
 * As `findRedis`, for tests, which cannot do without.
 * @returns {RedisProgram}
 * @throws {Refusal}
 */
export function redisProgram() {
  const program = findRedis(join(ROOT, 'node_modules', '.cache'));
  if (program) return program;
  throw new Refusal(`no Redis server on PATH and none could be downloaded. ${REDIS_BY_HAND}`);
}

/**
 * @param {string} home appears whole or not at all
 * @returns {RedisProgram | null}
 */
export function downloadRedis(home) {
  const entry = Object.entries(DOWNLOADS).find(([manager]) => isCommand(manager));
  if (!entry) return null;
  const [manager, script] = entry;
  console.error(`guildhall: no Redis on PATH, downloading it with ${manager} into ${home}`);
  const draft = `${home}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    spawnSync('/bin/sh', ['-c', script], { cwd: draft, stdio: 'ignore', timeout: TIMEOUT_MS });
    if (!unpackedBelow(draft)) return null;
    rmSync(home, { recursive: true, force: true });
    renameSync(draft, home);
    return unpackedBelow(home);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * @param {string} home
 * @returns {RedisProgram | null} null unless a server runs from there
 */
function unpackedBelow(home) {
  if (!existsSync(home)) return null;
  const paths = readdirSync(home, { recursive: true }).map((name) => join(home, String(name)));
  const isLibrary = /\.so(\.\d+)*$/;
  const libraries = [...new Set(paths.filter((path) => isLibrary.test(path)).map(dirname))];
  const commands = NAMES.flatMap((name) => paths.filter((path) => path.endsWith(`bin/${name}`)));
  return commands.map((command) => ({ command, libraries })).find(runs) ?? null;
}

/** @param {RedisProgram} program */
function runs(program) {
  const options = { stdio: /** @type {const} */ ('ignore'), env: redisEnvironment(program) };
  return spawnSync(program.command, ['--version'], options).status === 0;
}

/**
 * @param {RedisProgram} program
 * @returns {NodeJS.ProcessEnv} with the libraries of the program
 */
export function redisEnvironment({ libraries }) {
  if (libraries.length === 0) return process.env;
  return { ...process.env, LD_LIBRARY_PATH: libraries.join(':') };
}

/** @param {string} name */
function isCommand(name) {
  return spawnSync('/bin/sh', ['-c', `command -v ${name}`], { stdio: 'ignore' }).status === 0;
}
