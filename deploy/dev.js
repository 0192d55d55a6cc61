import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { watch } from 'chokidar';
import { AppBuild, removeVersion } from './dev/app-build.js';
import { AppProcess, Hosts } from './dev/app-process.js';
import { print, printError, printLine } from './dev/log.js';
import { DevProxy } from './dev/proxy.js';
import { watchStyles } from './dev/styles.js';
import { ROOT } from './local/build.js';
import { addDemoData, announce, runSetup, startProcess } from './local/installation.js';
import { usablePort, withInstallation } from './local/installation.js';
import { processIdentity } from './local/processes.js';
import { Refusal, runMain } from './local/refusal.js';
import { CLIENT_FOLDER, MADE_ASSETS, makeAssets, makeScripts } from './styles.js';

const WATCHED = ['src', 'ormconfig.ts', '.swcrc'].map((name) => join(ROOT, name));
const STYLES = join(ROOT, 'src/core/ui/styles');
const ASSETS = join(ROOT, 'src/core/ui/assets');
const DATABASE = [join(ROOT, 'src/database'), join(ROOT, 'ormconfig.ts')];
const BUILDS = join(ROOT, 'dist', 'dev');
/** Delay before a build, since editors save in several steps. */
const SETTLE_MS = 30;

/**
 * @typedef {import('./local/installation.js').Installation} Installation
 * @typedef {import('./dev/app-build.js').Version} Version
 */

/** `npm run dev [-- --inspect]`: like `npm start`, but applies saved changes within two seconds. */
async function main() {
  const given = process.argv.slice(2);
  const unknown = given.find((argument) => argument !== '--inspect');
  if (unknown !== undefined) throw new Refusal(`unknown option "${unknown}": there is --inspect`);
  const inspects = given.includes('--inspect');
  await withInstallation((installation) => develop(installation, inspects));
}

/**
 * @param {Installation} installation
 * @param {boolean} inspects
 */
async function develop(installation, inspects) {
  const { env, signal } = installation;
  const port = await usablePort(env);
  env.BASE_URL ||= `http://localhost:${port}`;
  const folder = ownFolder();
  if (!MADE_ASSETS.every(existsSync)) await makeAssets();
  const proxy = new DevProxy({ styles: join(folder, 'app.css') });
  const styles = watchStyles(proxy.styles, () => proxy.announce('styles'));
  const development = new Development(installation, { proxy, inspects, folder });
  const watcher = watch(WATCHED, {
    ignoreInitial: true,
    ignored: [...MADE_ASSETS, /\.spec\.tsx?$/],
  });
  watcher.on('all', (_, path) => development.change(path));
  const stop = async () => {
    await Promise.all([watcher.close(), styles.stop(), development.stop(), proxy.close()]);
    rmSync(folder, { recursive: true, force: true });
  };
  installation.children.push({ stop });
  await proxy.listen(port, env.HOST);
  await development.start();
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

/** Returns the build folder of this process and removes those of processes that were killed. */
function ownFolder() {
  const left = existsSync(BUILDS) ? readdirSync(BUILDS) : [];
  for (const name of left.filter((pid) => processIdentity(Number(pid)) === null)) {
    rmSync(join(BUILDS, name), { recursive: true, force: true });
  }
  return join(BUILDS, String(process.pid));
}

/** Builds changed sources and restarts the processes that use them. */
class Development {
  #hosts = new Hosts();
  /** @type {Set<string>} paths */
  #changed = new Set();
  /** @type {NodeJS.Timeout | undefined} */
  #timer;
  #isBusy = false;
  /** @type {import('./local/installation.js').SetupResult | null} */
  #setup = null;
  /** @type {Version[]} */
  #versions = [];

  /**
   * @param {Installation} installation
   * @param {{ proxy: DevProxy, inspects: boolean, folder: string }} options
   */
  constructor(installation, { proxy, inspects, folder }) {
    this.installation = installation;
    this.proxy = proxy;
    this.build = new AppBuild(folder);
    const { env, dataDir } = installation;
    /** @param {string} name @param {number | null} code */
    const onCrash = (name, code) => {
      if (name === 'web') proxy.target = 0;
      printError(`the ${name} process exited with code ${code}; restarting on the next change`);
    };
    const shared = { dataDir, onLine: printLine, onCrash };
    const level = env.LOG_LEVEL === 'debug' || env.LOG_LEVEL === 'trace' ? env.LOG_LEVEL : 'info';
    const single = { ...env, LOG_LEVEL: level, WEB_PROCESSES: '1', WORKER_PROCESSES: '1' };
    const webEnv = { ...single, PORT: '0', HOST: '127.0.0.1' };
    this.web = new AppProcess({
      ...shared,
      name: 'web',
      program: 'main.js',
      env: webEnv,
      inspectPort: inspects ? 9229 : null,
    });
    this.worker = new AppProcess({
      ...shared,
      name: 'worker',
      program: 'worker.js',
      env: single,
      inspectPort: inspects ? 9230 : null,
    });
  }

  async start() {
    this.proxy.hold();
    await this.#work([]);
  }

  async stop() {
    clearTimeout(this.#timer);
    await Promise.all([this.web.stop(), this.worker.stop(), this.#hosts.stop()]);
  }

  /** @param {string} path saved, created or removed file */
  change(path) {
    if (path.startsWith(STYLES)) return;
    if (path.startsWith(CLIENT_FOLDER)) return void this.#remakeScript();
    if (path.startsWith(ASSETS))
      return this.proxy.announce(path.endsWith('.css') ? 'styles' : 'page');
    this.proxy.hold();
    this.#changed.add(path);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#workOff(), SETTLE_MS);
  }

  async #remakeScript() {
    try {
      await makeScripts();
      this.proxy.announce('page');
    } catch (error) {
      printError(error instanceof Error ? withoutBacktrace(error.message) : String(error));
    }
  }

  async #workOff() {
    if (this.#isBusy) return;
    this.#isBusy = true;
    while (this.#changed.size > 0 && !this.installation.signal.aborted) {
      const changed = [...this.#changed];
      this.#changed.clear();
      await this.#work(changed);
    }
    this.#isBusy = false;
  }

  /**
   * Builds and restarts while requests wait. After a failure, the last working version serves them.
   * @param {string[]} changed
   */
  async #work(changed) {
    const startedAt = performance.now();
    try {
      const version = await this.build.run(changed);
      this.#versions.push(version);
      const isFirst = this.#setup === null;
      await this.#prepareDatabase(version, changed);
      await this.#restart(version, { changed, startedAt });
      if (isFirst && this.#setup) {
        announce(this.#setup, this.installation.dataDir);
        if (this.#setup.demoDataPending) {
          void addDemoData(this.installation, join(version.folder, 'cli.js'));
        }
      }
      this.#hosts.prepare(version.libraries);
    } catch (error) {
      if (this.installation.signal.aborted) return;
      printError(error instanceof Error ? withoutBacktrace(error.message) : String(error));
      if (this.web.running) print('still running the last working version');
    } finally {
      if (this.#changed.size === 0) this.proxy.open();
      this.#removeVersions();
    }
  }

  /**
   * @param {Version} version
   * @param {string[]} changed
   */
  async #prepareDatabase({ folder }, changed) {
    const cli = join(folder, 'cli.js');
    if (this.#setup === null) {
      this.#setup = await runSetup(this.installation, cli);
    } else if (changed.some((path) => DATABASE.some((start) => path.startsWith(start)))) {
      const migrate = startProcess(this.installation, cli, ['migrate']);
      migrate.stdout?.on('data', (chunk) => print(String(chunk).trim()));
      const code = await migrate.exited;
      if (code !== 0) throw new Error(`the database migration failed (code ${code})`);
    }
  }

  /**
   * @param {Version} version
   * @param {{ changed: string[], startedAt: number }} cause
   */
  async #restart(version, { changed, startedAt }) {
    const processes = [this.web, this.worker].filter(({ running, options }) => {
      const name = options.program.replace('.js', '');
      return running?.version.digests[name] !== version.digests[name];
    });
    const reason = changed.map((path) => relative(ROOT, path)).join(', ');
    if (processes.length === 0) print(`no process is affected (${reason})`);
    await Promise.all(
      processes.map(async (process) => {
        await process.restart(version, this.#hosts);
        if (process === this.web) this.#serve();
        const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
        const verb = changed.length === 0 ? 'started' : 'restarted';
        const suffix = reason === '' ? '' : ` (${reason})`;
        print(`${verb} ${process.options.name} in ${seconds} s${suffix}`);
      }),
    );
  }

  #serve() {
    this.proxy.target = this.web.running?.port ?? 0;
    if (this.#changed.size === 0) this.proxy.open();
    this.proxy.announce('page');
  }

  /** Removes versions that no process runs. */
  #removeVersions() {
    const used = [this.web, this.worker].map(({ running }) => running?.version);
    this.#versions.filter((version) => !used.includes(version)).forEach(removeVersion);
    this.#versions = this.#versions.filter((version) => used.includes(version));
  }
}

/**
 * Removes the compiler's own stack frames from an error in a source.
 * @param {string} message
 */
function withoutBacktrace(message) {
  const [mistake = ''] = message.split('Caused by:', 1);
  return mistake.replace(/^Build failed with \d+ errors?:\s+/, '').trimEnd();
}

await runMain(main);
