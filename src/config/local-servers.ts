import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Environment } from './env-reader.js';

/** Written below DATA_DIR by `npm start` and `npm run dev` while their servers run. */
const FILE = 'servers.json';

interface RunningServers {
  /** The process that stops the servers when it ends. */
  pid: number;
  env: Record<string, string>;
}

/**
 * Returns the environment with the addresses of the private servers that run on DATA_DIR. Variables
 * that are set, also by a `_FILE`, are kept.
 */
export function withLocalServers(env: Environment): Environment {
  const servers = readServers(join(resolve(env['DATA_DIR']?.trim() || '.data'), FILE));
  if (servers === null || !isRunning(servers.pid)) return env;
  const missing = Object.entries(servers.env).filter(
    ([name]) => !env[name]?.trim() && !env[`${name}_FILE`]?.trim(),
  );
  return { ...env, ...Object.fromEntries(missing) };
}

/** Returns null without a complete file: no server runs, or one is starting. */
function readServers(path: string): RunningServers | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as RunningServers;
  } catch {
    return null;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process of another user runs as well.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
