import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DataSource } from 'typeorm';
import type { Config } from '../../../src/config/env.js';
import { dataSourceOptions } from '../../../src/database/database.module.js';
import { runCommand } from '../../support/command.js';
import { redisUrlOf, testConfig } from '../../support/config.js';
import { eventually } from '../../support/eventually.js';
import { makeAdmin, type MadeActor } from '../../support/factories.js';
import { freePort } from '../../../deploy/local/ports.js';
import { FaultProcess } from './fault-process.js';
import { Servers } from './servers.js';

/** Lines of a log that an error shows. */
const WORKER_LOG_LINES = 30;

interface StackOptions {
  /** Roots of the storages; below the stack's folder unless given. */
  storages?: Record<string, string>;
  /** Further variables of all processes. */
  env?: NodeJS.ProcessEnv;
  /** Checkout whose build sets the database up and runs; this one unless given. */
  checkout?: string;
}

/** Failpoint of the worker, and its effect (`kill`, `pause` or `throw:<code>`). */
export interface Failpoint {
  point: string;
  action: string;
}

/** The real processes of one instance, each of which can be killed and started again. */
export class FaultStack {
  readonly workers: FaultProcess[] = [];
  private readonly peers: FaultProcess[] = [];
  private web: FaultProcess;

  private constructor(
    readonly folder: string,
    readonly config: Config,
    readonly servers: Servers,
    /** The test's own view of the database. */
    readonly dataSource: DataSource,
    /** The environment of its processes. */
    readonly environment: NodeJS.ProcessEnv,
    private readonly checkout: string,
  ) {
    this.web = this.launchWeb();
  }

  static async start({
    storages,
    env = {},
    checkout = '.',
  }: StackOptions = {}): Promise<FaultStack> {
    const folder = await mkdtemp(join(tmpdir(), 'guildhall-faults-'));
    // PostgreSQL of a root user runs as another user, who must get through.
    await chmod(folder, 0o711);
    const servers = await Servers.start(folder);
    const config = await stackConfig({ folder, servers, storages });
    const settings = { databaseUrl: config.databaseUrl, poolSize: 4, statementTimeoutMs: 0 };
    const dataSource = new DataSource({ ...dataSourceOptions(settings), logging: false });
    await dataSource.initialize();
    const environment = { ...processEnvironment(config), ...env };
    if (checkout === '.') await dataSource.runMigrations();
    else await runCli(checkout, ['setup'], environment);
    await dataSource.query(
      `INSERT INTO storage_settings (storage, max_in, max_out) SELECT unnest($1::text[]), 8, 8`,
      [Object.keys(config.storages)],
    );
    const stack = new FaultStack(folder, config, servers, dataSource, environment, checkout);
    await answers(stack.url);
    return stack;
  }

  get url(): string {
    return this.config.baseUrl;
  }

  makeAdmin(): Promise<MadeActor> {
    return makeAdmin(this);
  }

  root(storage: string): string {
    return this.config.storages[storage]?.path ?? '';
  }

  /** A worker process, armed or not, of another build if given; resolves at once. */
  startWorker(
    failpoint?: Failpoint,
    env: NodeJS.ProcessEnv = {},
    checkout = this.checkout,
  ): FaultProcess {
    const armed = failpoint && {
      GUILDHALL_FAILPOINT: failpoint.point,
      GUILDHALL_FAILPOINT_ACTION: failpoint.action,
    };
    const worker = FaultProcess.start('worker.js', {
      env: { ...this.environment, ...armed, ...env },
      logFile: join(this.folder, 'worker.log'),
      checkout,
    });
    this.workers.push(worker);
    return worker;
  }

  /** Returns the last lines that the workers have logged. */
  async endOfWorkerLog(): Promise<string> {
    const log = await readFile(join(this.folder, 'worker.log'), 'utf8');
    return log.split('\n').slice(-WORKER_LOG_LINES).join('\n');
  }

  /** The first web process, as it was started last. */
  get webProcess(): FaultProcess {
    return this.web;
  }

  async killWeb(): Promise<void> {
    await this.web.kill();
  }

  /** `env` is for this web process only. */
  async restartWeb(env: NodeJS.ProcessEnv = {}): Promise<void> {
    this.web = this.launchWeb(env);
    await answers(this.url);
  }

  /** Another web process of the same instance; resolves with its address when it answers. */
  async startPeer(checkout = this.checkout): Promise<string> {
    const port = await freePort();
    const env = { ...this.environment, PORT: String(port) };
    const logFile = join(this.folder, 'peer.log');
    this.peers.push(FaultProcess.start('main.js', { env, logFile, checkout }));
    const url = `http://127.0.0.1:${port}`;
    await answers(url);
    return url;
  }

  /** Runs `guildhall` of a build; throws with its output unless it succeeds. */
  command(args: readonly string[], checkout = this.checkout): Promise<void> {
    return runCli(checkout, args, this.environment);
  }

  /** Rows of a statement; tries again while the database is being started. */
  rows<T>(text: string, values: unknown[] = []): Promise<T[]> {
    return eventually(async () => {
      try {
        return { rows: await this.dataSource.query<T[]>(text, values) };
      } catch (error) {
        if (isRefusal(error)) return { error };
        throw error;
      }
    }).then((answer) => {
      if ('error' in answer) throw answer.error;
      return answer.rows;
    });
  }

  async stop(): Promise<void> {
    await Promise.all([this.web, ...this.peers, ...this.workers].map((child) => child.kill()));
    await this.dataSource.destroy();
    await this.servers.stop();
    if (process.env['GUILDHALL_FAULTS_KEEP']) return;
    await rm(this.folder, { recursive: true, force: true });
  }

  private launchWeb(env: NodeJS.ProcessEnv = {}): FaultProcess {
    const logFile = join(this.folder, 'web.log');
    const { checkout } = this;
    return FaultProcess.start('main.js', {
      env: { ...this.environment, ...env },
      logFile,
      checkout,
    });
  }
}

async function runCli(
  checkout: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const program = [resolve(checkout, 'dist', 'cli.js'), ...args];
  const { code, stdout, stderr } = await runCommand(process.execPath, program, { env });
  if (code !== 0)
    throw new Error(`guildhall ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
}

async function answers(url: string): Promise<void> {
  await eventually(async () => (await fetch(`${url}/-/health`)).ok, { seconds: 60 });
}

/** The server has read the statement and will not have it; all else passes. */
function isRefusal(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(22|23|42)/.test(code);
}

async function stackConfig({
  folder,
  servers,
  storages = {},
}: StackOptions & { folder: string; servers: Servers }): Promise<Config> {
  const port = await freePort();
  const roots = {
    default: join(folder, 'storages', 'default'),
    storage2: join(folder, 'storages', 'storage2'),
    ...storages,
  };
  const entries = Object.entries(roots).map(([name, path]) => [name, { path, weight: 100 }]);
  return testConfig({
    database: { name: 'faults', url: servers.databaseUrl },
    baseUrl: `http://127.0.0.1:${port}`,
    dataDir: join(folder, 'data'),
    env: {
      PORT: String(port),
      REDIS_URL: servers.redisUrl,
      STORAGES: JSON.stringify(Object.fromEntries(entries)),
      MOVE_DRAIN_SECONDS: '20',
    },
  });
}

function processEnvironment(config: Config): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: String(config.port),
    WEB_PROCESSES: '1',
    BASE_URL: config.baseUrl,
    DATABASE_URL: config.databaseUrl,
    DATABASE_POOL_SIZE: '5',
    REDIS_URL: redisUrlOf(config),
    QUEUE_PREFIX: config.queuePrefix,
    DATA_DIR: config.dataDir,
    STORAGES: JSON.stringify(config.storages),
    SECRET_KEY: config.secretKey,
    MOVE_DRAIN_SECONDS: String(config.moveDrainSeconds),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'info',
  };
}
