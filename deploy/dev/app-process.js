import { fork } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../local/build.js';
import { writeOwner } from '../local/owner-file.js';

const HOST = fileURLToPath(new URL('host.js', import.meta.url));
const GRACE_MS = 2000;

/**
 * @typedef {import('./app-build.js').Version} Version
 * @typedef {import('node:child_process').ChildProcess} ChildProcess
 *
 * @typedef {object} Running
 * @property {ChildProcess} child
 * @property {Version} version
 * @property {number} port of the web process; 0 for the worker
 *
 * @typedef {object} ProcessOptions
 * @property {string} name
 * @property {string} program file name in the bundle
 * @property {NodeJS.ProcessEnv} env
 * @property {string} dataDir
 * @property {number | null} inspectPort
 * @property {(name: string, line: string) => void} onLine receives each output line
 * @property {(name: string, code: number | null) => void} onCrash called on an unexpected exit
 */

/** The web or worker process across restarts. */
export class AppProcess {
  /** @type {Running | null} */
  running = null;
  #stopped = false;

  /** @param {ProcessOptions} options */
  constructor(options) {
    this.options = options;
  }

  /**
   * Replaces the running version, which keeps running if the new one fails to start. With an
   * inspector, the old process stops first, since both need the same port.
   * @param {Version} version
   * @param {Hosts} hosts
   * @throws {Error} when it exits before it is ready; its output has the reason
   */
  async restart(version, hosts) {
    const former = this.running;
    if (this.options.inspectPort !== null && former) await this.#stop(former.child);
    const child = hosts.take(version.libraries);
    const port = await this.#start(child, version);
    this.running = { child, version, port };
    if (former && this.options.inspectPort === null) void this.#stop(former.child);
  }

  async stop() {
    this.#stopped = true;
    if (this.running) await this.#stop(this.running.child);
  }

  /**
   * @param {ChildProcess} child
   * @param {Version} version
   * @returns {Promise<number>} its port
   */
  #start(child, version) {
    const { name, program, env, dataDir, inspectPort, onLine, onCrash } = this.options;
    if (child.pid) writeOwner(join(dataDir, `dev-${name}.owner`), child.pid);
    return new Promise((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        if (!stream) continue;
        createInterface({ input: stream }).on('line', (line) => {
          const ready = portWhenReady(line);
          if (ready !== null) resolve(ready);
          onLine(name, line);
        });
      }
      child.once('exit', (code) => {
        if (this.running?.child === child) {
          this.running = null;
          if (!this.#stopped) onCrash(name, code);
        }
        reject(new Error(`the ${name} process failed to start (code ${code})`));
      });
      child.send({ program: join(version.folder, program), env, inspectPort });
    });
  }

  /** @param {ChildProcess} child */
  async #stop(child) {
    if (this.running?.child === child) this.running = null;
    await stopProcess(child);
  }
}

/** Keeps a spare process with preloaded libraries for the next restart. */
export class Hosts {
  /** @type {ChildProcess | null} */
  #spare = null;

  /**
   * Returns the spare process, or a new one.
   * @param {string[]} libraries
   */
  take(libraries) {
    const spare = this.#spare;
    this.#spare = null;
    return spare?.connected ? spare : startHost(libraries);
  }

  /** @param {string[]} libraries */
  prepare(libraries) {
    this.#spare ??= startHost(libraries);
  }

  async stop() {
    if (this.#spare) await stopProcess(this.#spare);
  }
}

/** @param {string[]} libraries */
function startHost(libraries) {
  const child = fork(HOST, {
    cwd: ROOT,
    // Its own session, so that Ctrl-C reaches only this process, which stops the others in order.
    detached: true,
    silent: true,
    execArgv: [],
  });
  child.send({ libraries });
  return child;
}

/**
 * Stops a process and its remaining children.
 * @param {ChildProcess} child
 */
async function stopProcess(child) {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    await exited;
    clearTimeout(timer);
  }
  try {
    if (child.pid) process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ESRCH') throw error;
  }
}

/**
 * Parses the log line that reports readiness.
 * @param {string} line
 * @returns {number | null} its port, 0 when it has none
 */
function portWhenReady(line) {
  if (!line.includes('process is ready')) return null;
  return Number(/"port":(\d+)/.exec(line)?.[1] ?? 0);
}
