import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, openSync } from 'node:fs';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { eventually } from '../../support/eventually.js';
import { inNamespace } from './network.js';

const FINDER = fileURLToPath(new URL('postgres-program.js', import.meta.url));
const PASSWORD = 'only-for-tests';

/** Where a server listens; `netns` is the network namespace that it runs in. */
export interface ServerAddress {
  host: string;
  port: number;
  netns?: string;
}

interface PostgresProgram {
  postgres: string;
  initdb: string;
  identity: { uid?: number; gid?: number };
}

/** A primary and a streaming replica of it, which start as copies of one empty cluster. */
export async function makePostgresPair(
  folder: string,
  places: { primary: ServerAddress; replica: ServerAddress },
): Promise<{ primary: PostgresServer; replica: PostgresServer }> {
  const program = JSON.parse(
    execFileSync(process.execPath, [FINDER, folder], { encoding: 'utf8' }),
  ) as PostgresProgram;
  const primary = new PostgresServer(program, join(folder, 'primary'), places.primary);
  const replica = new PostgresServer(program, join(folder, 'replica'), places.replica);
  await primary.makeCluster();
  await primary.copyTo(replica);
  return { primary, replica };
}

/** A PostgreSQL server of a test, which is killed, suspended, promoted and rewound. */
export class PostgresServer {
  private child: ChildProcess | null = null;

  constructor(
    private readonly program: PostgresProgram,
    readonly folder: string,
    readonly place: ServerAddress,
  ) {}

  /** URL of a database, at another address than its own if one is given. */
  url(database = 'guildhall', host = this.place.host): string {
    return `postgresql://postgres:${PASSWORD}@${host}:${this.place.port}/${database}`;
  }

  async makeCluster(): Promise<void> {
    const { initdb, identity } = this.program;
    await this.makeFolder(this.folder);
    const passwordFile = `${this.folder}-password`;
    await writeFile(passwordFile, PASSWORD);
    const flags = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--no-sync'];
    const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--locale=C.UTF-8'];
    const args = [`--pgdata=${this.folder}`, '--username=postgres', ...locale, ...flags];
    execFileSync(initdb, args, { ...identity, cwd: '/', stdio: 'ignore' });
    const anyone = ['all', 'replication'].map((name) => `host ${name} all 0.0.0.0/0 scram-sha-256`);
    await appendFile(join(this.folder, 'pg_hba.conf'), `${anyone.join('\n')}\n`);
  }

  /** Copies the stopped cluster: the copy is the replica of this server. */
  async copyTo(replica: PostgresServer): Promise<void> {
    execFileSync('cp', ['-a', `${this.folder}/.`, replica.folder]);
    await replica.follow(this);
  }

  /** Makes the stopped server a replica of another one. */
  async follow({ place }: PostgresServer): Promise<void> {
    const source = `host=${place.host} port=${place.port} user=postgres password=${PASSWORD}`;
    // Notices a link that was cut, as a keepalive of TCP does only after hours.
    const settings = [`primary_conninfo = '${source} connect_timeout=3'`, ''].join('\n');
    await appendFile(join(this.folder, 'postgresql.auto.conf'), settings);
    await writeFile(join(this.folder, 'standby.signal'), '');
    this.own(join(this.folder, 'standby.signal'));
  }

  /** Starts it with these settings and waits until it answers. */
  async start(settings: Record<string, string> = {}): Promise<void> {
    const { postgres, identity } = this.program;
    const all = {
      listen_addresses: this.place.netns === undefined ? this.place.host : '*',
      port: String(this.place.port),
      unix_socket_directories: '',
      max_connections: '200',
      timezone: 'UTC',
      wal_level: 'replica',
      wal_keep_size: '1GB',
      wal_log_hints: 'on',
      wal_receiver_timeout: '3s',
      wal_sender_timeout: '3s',
      wal_retrieve_retry_interval: '500ms',
      ...settings,
    };
    const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const user =
      identity.uid === undefined
        ? []
        : [`--reuid=${identity.uid}`, `--regid=${identity.gid}`, '--clear-groups'];
    // The server ends with the test, also when that is killed.
    const [command = '', ...args] = [
      ...inNamespace(this.place.netns),
      'setpriv',
      '--pdeathsig=KILL',
      ...user,
      ...[postgres, '-D', this.folder, ...flags],
    ];
    const log = openSync(`${this.folder}.log`, 'a');
    this.child = spawn(command, args, { cwd: '/', stdio: ['ignore', log, log] });
    closeSync(log);
    await eventually(() => this.query('SELECT 1', 'postgres'), { seconds: 30 });
  }

  /** SIGKILL to the server and all its processes, as when its machine is lost. */
  async kill(): Promise<void> {
    const { child } = this;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    const pids = execFileSync('ps', ['-o', 'pid=', '--ppid', String(child.pid)], {
      encoding: 'utf8',
    });
    for (const pid of [String(child.pid), ...pids.trim().split(/\s+/)]) {
      execFileSync('sh', ['-c', 'kill -9 "$1" 2>/dev/null || true', 'sh', pid]);
    }
    await exited;
  }

  /** Runs a statement on a connection of its own. */
  async query<T extends object>(text: string, database = 'guildhall'): Promise<T[]> {
    const client = new pg.Client({
      connectionString: this.url(database),
      connectionTimeoutMillis: 3_000,
      query_timeout: 20_000,
    });
    client.on('error', () => undefined);
    await client.connect();
    try {
      const { rows } = await client.query<T>(text);
      return rows;
    } finally {
      await client.end();
    }
  }

  private async makeFolder(path: string): Promise<void> {
    await mkdir(path, { recursive: true, mode: 0o700 });
    this.own(path);
  }

  private own(path: string): void {
    const { uid, gid } = this.program.identity;
    if (uid !== undefined) chownSync(path, uid, gid ?? uid);
  }
}
