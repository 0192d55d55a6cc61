import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** Clock ticks a second; always 100 on Linux, but asked. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/**
 * Seconds of processor time that a process and its children have used.
 * @param {number} pid
 * @returns {Promise<number>}
 */
export async function cpuSecondsOf(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // utime, stime, cutime and cstime; the name of the program can contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return ticks / TICKS;
}
