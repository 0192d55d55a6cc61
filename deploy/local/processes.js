import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Returns an identity that distinguishes a process from a later one with the same number: boot and
 * start time.
 * @param {number} pid
 * @returns {string | null} null when there is no such process
 */
export function processIdentity(pid) {
  return process.platform === 'linux' ? identityFromProc(pid) : identityFromPs(pid);
}

/** @param {number} pid */
function identityFromProc(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name (field 2) may hold spaces and brackets: count from the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fields[19]}`;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** @param {number} pid */
function identityFromPs(pid) {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch (error) {
    // ps exits 1 and prints nothing when no process has the number.
    if (/** @type {{ status?: number }} */ (error).status === 1) return null;
    throw error;
  }
}

/** @param {unknown} error */
function isMissing(error) {
  const code = /** @type {NodeJS.ErrnoException} */ (error).code;
  return code === 'ENOENT' || code === 'ESRCH';
}

/**
 * Polls until `probe` gives something other than undefined or false.
 * @template T
 * @param {() => Promise<T> | T} probe
 * @param {{ seconds: number, everyMs?: number }} bound
 * @returns {Promise<T | undefined>} undefined when the time is over
 */
export async function poll(probe, { seconds, everyMs = 50 }) {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    if (Date.now() >= deadline) return undefined;
    await delay(everyMs);
  }
}
