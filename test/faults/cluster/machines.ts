import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/database/database.module.js';
import { eventually } from '../../support/eventually.js';
import { startRedisServer } from '../../support/redis-program.js';
import { installProgram } from '../../support/system-package.js';
import { FaultProcess } from '../support/fault-process.js';
import { inNamespace, Network } from '../support/network.js';
import { makePostgresPair, type PostgresServer } from '../support/postgres-servers.js';

export const WEBS = ['web1', 'web2', 'web3'] as const;
export const WORKERS = ['worker1', 'worker2'] as const;
const REDIS = ['redis1', 'redis2', 'redis3'] as const;
const MACHINES = ['proxy', ...WEBS, ...WORKERS, 'db1', 'db2', ...REDIS];
const DATABASE_PORT = 5432;
const BY_SIGNAL = { stdio: 'ignore', cwd: '/' } as const;

/** A web node or worker, nginx, PostgreSQL, or Redis with its sentinel, on a machine of its own. */
export class Machines {
  private readonly processes = new Map<string, FaultProcess>();
  private readonly children = new Map<string, ChildProcess[]>();

  private constructor(
    readonly network: Network,
    readonly folder: string,
    readonly primary: PostgresServer,
    readonly replica: PostgresServer,
  ) {}

  /** Starts all machines with an empty, migrated database. */
  static async start(): Promise<Machines> {
    installProgram({ program: 'nginx', checkArguments: ['-v'] });
    const network = new Network(MACHINES);
    const folder = await mkdtemp(join(tmpdir(), 'guildhall-cluster-'));
    // PostgreSQL runs as another user, who must get through.
    await chmod(folder, 0o711);
    const place = (name: string) => ({
      host: network.address(name),
      port: DATABASE_PORT,
      netns: network.netns(name),
    });
    const places = { primary: place('db1'), replica: place('db2') };
    const { primary, replica } = await makePostgresPair(folder, places);
    const machines = new Machines(network, folder, primary, replica);
    network.float('db1');
    await primary.start();
    await primary.query('CREATE DATABASE guildhall', 'postgres');
    await replica.start({ hot_standby_feedback: 'on' });
    const database = await machines.connect();
    await database.runMigrations();
    await database.destroy();
    for (const name of REDIS) await machines.startRedis(name);
    await machines.startProxy();
    for (const name of [...WEBS, ...WORKERS]) machines.startNode(name);
    for (const name of WEBS) await machines.answers(`http://${network.address(name)}:3000`);
    await machines.answers(machines.url);
    return machines;
  }

  /** Address of nginx. */
  get url(): string {
    return `http://${this.network.address('proxy')}`;
  }

  /** The test's own connection to the primary, wherever that is now. */
  connect(): Promise<DataSource> {
    const settings = { databaseUrl: this.databaseUrl, poolSize: 2, statementTimeoutMs: 0 };
    return new DataSource({ ...dataSourceOptions(settings), logging: false }).initialize();
  }

  startNode(name: string): void {
    const file = name.startsWith('web') ? 'main.js' : 'worker.js';
    const process = FaultProcess.start(file, {
      env: this.environment(name),
      logFile: join(this.folder, `${name}.log`),
      netns: this.network.netns(name),
    });
    this.processes.set(name, process);
  }

  /** A Redis server, the first of which is the master, and the sentinel beside it. */
  async startRedis(name: string): Promise<void> {
    const folder = join(this.folder, name);
    await mkdir(folder, { recursive: true });
    const own = this.network.address(name);
    const master = this.network.address('redis1');
    const server = ['protected-mode no', 'appendonly yes', `dir ${folder}`, 'port 6379'];
    const isMaster = name === 'redis1' && !this.children.has(name);
    if (!isMaster) server.push(`replicaof ${master} 6379`);
    server.push(`replica-announce-ip ${own}`, 'repl-timeout 5');
    await writeFile(join(folder, 'redis.conf'), `${server.join('\n')}\n`);
    const sentinel = [
      ...['protected-mode no', `dir ${folder}`, 'port 26379', `sentinel announce-ip ${own}`],
      `sentinel monitor main ${master} 6379 2`,
      'sentinel down-after-milliseconds main 2000',
      'sentinel failover-timeout main 6000',
    ];
    const sentinelFile = join(folder, 'sentinel.conf');
    // A sentinel keeps what it knows of the others, and of the master of the moment, in its file.
    if (isMaster || !this.children.has(name)) {
      await writeFile(sentinelFile, `${sentinel.join('\n')}\n`);
    }
    const wrapper = [...this.wrapper(name)];
    this.children.set(name, [
      startRedisServer([join(folder, 'redis.conf')], folder, wrapper),
      startRedisServer([sentinelFile, '--sentinel'], folder, wrapper),
    ]);
  }

  async startProxy(): Promise<void> {
    const folder = join(this.folder, 'proxy');
    await mkdir(folder, { recursive: true });
    const servers = WEBS.map(
      (name) => `server ${this.network.address(name)}:3000 max_fails=1 fail_timeout=2s;`,
    );
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const file = join(folder, 'nginx.conf');
    await writeFile(
      file,
      `pid ${folder}/nginx.pid; daemon off; master_process off; user root;
       error_log ${folder}/error.log; events {}
       http { access_log off;
         ${paths.map((path) => `${path}_temp_path ${folder}/${path};`).join('\n')}
         upstream guildhall { ${servers.join(' ')} keepalive 16; }
         server { listen 80; client_max_body_size 0;
           location / {
             proxy_pass http://guildhall; proxy_http_version 1.1;
             proxy_set_header Connection ""; proxy_set_header Host $host;
             proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
             proxy_connect_timeout 1s; proxy_read_timeout 8s;
             proxy_next_upstream error timeout; proxy_next_upstream_tries 3;
           } } }`,
    );
    const [command = '', ...args] = this.wrapper('proxy');
    const nginx = spawn(command, [...args, 'nginx', '-c', file, '-e', join(folder, 'start.log')], {
      ...BY_SIGNAL,
    });
    this.children.set('proxy', [nginx]);
  }

  /** SIGKILL to all that runs on the machine. */
  async kill(name: string): Promise<void> {
    if (name === 'db1') await this.primary.kill();
    if (name === 'db2') await this.replica.kill();
    await this.processes.get(name)?.kill();
    for (const child of this.children.get(name) ?? []) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }

  /** Starts what was killed. */
  async restart(name: string): Promise<void> {
    if (name === 'db1') await this.primary.start();
    else if (name === 'db2') await this.replica.start({ hot_standby_feedback: 'on' });
    else if (name.startsWith('redis')) await this.startRedis(name);
    else if (name === 'proxy') await this.startProxy();
    else {
      this.startNode(name);
      const isWeb = name.startsWith('web');
      if (isWeb) await this.answers(`http://${this.network.address(name)}:3000`);
    }
  }

  /** Makes the replica the primary, under the address of the old one, which is cut off for good. */
  async failOver(): Promise<void> {
    this.network.cut('db1');
    await this.replica.query('SELECT pg_promote()');
    this.network.float('db2');
  }

  async stop(): Promise<void> {
    for (const name of MACHINES) await this.kill(name);
    this.network.remove();
    if (process.env['GUILDHALL_FAULTS_KEEP']) return;
    await rm(this.folder, { recursive: true, force: true });
  }

  async answers(url: string): Promise<void> {
    await eventually(async () => (await fetch(`${url}/-/readiness`)).ok, { seconds: 120 });
  }

  private get databaseUrl(): string {
    return this.primary.url('guildhall', this.network.floatingAddress);
  }

  /** Ends with the test, also when that is killed. */
  private wrapper(name: string): string[] {
    return [...inNamespace(this.network.netns(name)), 'setpriv', '--pdeathsig=KILL'];
  }

  private environment(name: string): NodeJS.ProcessEnv {
    const shared = join(this.folder, 'storages');
    const sentinels = REDIS.map((redis) => `${this.network.address(redis)}:26379`).join(',');
    const storages = ['default', 'storage2'].map((storage) => [
      storage,
      { path: join(shared, storage), weight: storage === 'default' ? 100 : 0 },
    ]);
    return {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      HOST: '0.0.0.0',
      PORT: '3000',
      WEB_PROCESSES: '1',
      BASE_URL: this.url,
      TRUST_PROXY: '1',
      DATABASE_URL: this.databaseUrl,
      DATABASE_REPLICA_URL: this.replica.url(),
      DATABASE_POOL_SIZE: '5',
      REDIS_URL: `redis+sentinel://${sentinels}/main`,
      DATA_DIR: join(this.folder, `data-${name}`),
      STORAGES: JSON.stringify(Object.fromEntries(storages)),
      SECRET_KEY: 'only-for-tests-only-for-tests-only-for-tests',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'info',
    };
  }
}
