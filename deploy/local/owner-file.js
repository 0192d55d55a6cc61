import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { processIdentity } from './processes.js';

/**
 * A file that names a process. It needs no unlocking: once that process is gone,
 * also by `kill -9`, the file counts as abandoned.
 * @typedef {{ pid: number, identity: string }} Owner
 */

/**
 * @param {string} path
 * @param {number} pid
 */
export function writeOwner(path, pid) {
  const identity = processIdentity(pid);
  if (identity !== null) writeFileSync(path, JSON.stringify({ pid, identity }));
}

/**
 * @param {string} path
 * @returns {Owner | null} the living process the file names, or null
 */
export function livingOwner(path) {
  const owner = readOwner(path);
  return owner !== null && processIdentity(owner.pid) === owner.identity ? owner : null;
}

/**
 * Claims `path` for this process, or says who has it.
 * @param {string} path
 * @returns {Owner | null} null when the claim succeeded, else the living holder
 */
export function claim(path) {
  const mine = `${path}.${process.pid}`;
  writeOwner(mine, process.pid);
  try {
    // A handful of rounds is enough: each lost round means another process moved the lock.
    for (let round = 0; round < 5; round += 1) {
      if (linked(mine, path)) return null;
      const holder = livingOwner(path) ?? removeAbandoned(path);
      if (holder !== null) return holder;
    }
  } finally {
    rmSync(mine, { force: true });
  }
  return readOwner(path);
}

/**
 * Gives up a claim of this process; the claim of another one is left alone.
 * @param {string} path
 */
export function release(path) {
  if (readOwner(path)?.pid === process.pid) rmSync(path, { force: true });
}

/**
 * Removal by rename: of two processes that saw the same abandoned file only one gets it,
 * and a process that moved a fresh claim by mistake puts it back.
 * @param {string} path
 * @returns {Owner | null} the living owner of a claim made meanwhile
 */
function removeAbandoned(path) {
  const aside = `${path}.${process.pid}.old`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return null;
    throw error;
  }
  const holder = livingOwner(aside);
  if (holder !== null) linked(aside, path);
  rmSync(aside, { force: true });
  return holder;
}

/**
 * @param {string} from
 * @param {string} to
 * @returns {boolean} false when `to` exists already
 */
function linked(from, to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * @param {string} path
 * @returns {Owner | null}
 */
function readOwner(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    const missing = /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT';
    // Half-written by a process that was killed: the owner is unknown.
    if (missing || error instanceof SyntaxError) return null;
    throw error;
  }
}
