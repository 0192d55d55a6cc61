import { spawnSync } from 'node:child_process';
import { userInfo } from 'node:os';
import { Refusal } from './refusal.js';

/** @typedef {{ uid?: number, gid?: number }} Identity empty: the current user */

/**
 * Returns the user that runs PostgreSQL: the current user, but for root the system user `postgres`,
 * since PostgreSQL refuses to run as root. Creates that user if it is missing.
 * @returns {Identity}
 */
export function postgresIdentity() {
  if (userInfo().uid !== 0) return {};
  return lookUp() ?? create();
}

/**
 * @param {string} folder
 * @param {Identity} identity
 * @returns {boolean} whether that user can enter the folder
 */
export function canEnter(folder, identity) {
  const entered = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...identity, cwd: '/' });
  return entered.status === 0;
}

/** @returns {Identity | null} */
function lookUp() {
  const [uid, gid] = ['-u', '-g'].map((flag) => {
    const { status, stdout } = spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' });
    return status === 0 ? Number(stdout) : null;
  });
  return uid && gid ? { uid, gid } : null;
}

/** @returns {Identity} */
function create() {
  const useradd = ['useradd', '--system', '--user-group', '--no-create-home', 'postgres'];
  const busybox = ['adduser', '-S', '-D', '-H', 'postgres'];
  for (const [command, ...args] of [useradd, busybox]) {
    if (command) spawnSync(command, args, { stdio: 'ignore' });
    const identity = lookUp();
    if (identity) return identity;
  }
  throw new Refusal(
    'PostgreSQL cannot run as root and the user "postgres" could not be made: run as another user or set DATABASE_URL',
  );
}
