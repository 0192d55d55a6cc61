import { readdir, readlink } from 'node:fs/promises';

/** Returns the ids of the processes, zombies included, that work in a directory. */
export async function processesIn(directory: string): Promise<number[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const places = await Promise.all(ids.map((id) => readlink(`/proc/${id}/cwd`).catch(() => '')));
  return ids.filter((_, index) => places[index] === directory).map(Number);
}

/** Tells whether a process exists, zombies included. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
