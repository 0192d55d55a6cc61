import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import pg, { type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import { Counter, Gauge } from 'prom-client';
import { CONFIG } from '../../../config/config.module.js';
import type { Config } from '../../../config/env.js';
import { PeriodicTask } from '../../durable-work/periodic-task.js';
import { MetricsRegistry } from '../../metrics/metrics-registry.js';
import { clientClass, SESSION_OPTIONS } from '../pg-driver.js';
import { RecentWrites } from './recent-writes.service.js';
import { areOfOneCluster, primaryPosition, ReplicaLag, replicaPosition } from './replica-lag.js';

/** Rows can be this old; with a reading of the positions in between, far below the 5 s of writers. */
export const MAX_LAG_MS = 2_000;
const LOOK_EVERY_MS = 250;
const LOOK_TIMEOUT_MS = 1_000;
/** Reads that take longer are asked of the primary, with its own limit. */
const READ_TIMEOUT_MS = 2_000;
/** The server ends a statement before its client gives it up, and with it the connection. */
const CLIENT_TIMEOUT_MS = READ_TIMEOUT_MS + 1_000;

const LOOK_OPTIONS = {
  max: 1,
  statement_timeout: LOOK_TIMEOUT_MS,
  query_timeout: LOOK_TIMEOUT_MS,
};

/**
 * The streaming replica of DATABASE_REPLICA_URL. Several times a second it is asked how far it is;
 * when it is down, cut off or too far behind, nothing is read from it. Without the variable it is
 * not there, and costs nothing.
 */
@Injectable()
export class Replica implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Replica.name);
  private readonly pool: pg.Pool | null;
  private readonly lag = new ReplicaLag();
  private reads: Counter<'server'> | null = null;
  /** A connection to each server, so that looks do not wait behind requests. */
  private readonly looks: { primary: pg.Pool; replica: pg.Pool } | null;
  private readonly looking: PeriodicTask;
  /** Read again after a reconnect, which can lead to another server. */
  private isOfPrimary: boolean | null = null;
  private isStopped = false;
  /** The problem that was logged; null while reads go to the replica. */
  private problem: string | null = null;

  constructor(
    private readonly writes: RecentWrites,
    metrics: MetricsRegistry,
    @Inject(CONFIG) { databaseUrl, databaseReplicaUrl, databasePoolSize }: Config,
  ) {
    const { logger } = this;
    this.looking = new PeriodicTask(LOOK_EVERY_MS, () => this.look(), { logger });
    this.pool = null;
    this.looks = null;
    if (databaseReplicaUrl === undefined) return;
    this.pool = openPool(databaseReplicaUrl, { max: databasePoolSize });
    this.looks = {
      primary: openPool(databaseUrl, LOOK_OPTIONS),
      replica: openPool(databaseReplicaUrl, LOOK_OPTIONS),
    };
    // Connections that break while idle are replaced; statements under way report it themselves.
    for (const pool of this.pools) pool.on('error', (error) => this.noteFailure(error));
    for (const pool of Object.values(this.looks)) pool.on('connect', () => this.forgetServers());
    if (metrics.isEnabled) this.measure(metrics);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.pool === null) return;
    await Promise.all([this.looking.run(), this.writes.start()]);
    this.looking.start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.looking.stop();
    await Promise.all(this.pools.map((pool) => pool.end()));
  }

  private get pools(): pg.Pool[] {
    return this.pool === null ? [] : [this.pool, ...Object.values(this.looks ?? {})];
  }

  get isConfigured(): boolean {
    return this.pool !== null;
  }

  /** False while reads have to go to the primary. */
  get isUsable(): boolean {
    return this.lag.at(performance.now()) <= MAX_LAG_MS;
  }

  /** Runs a read; returns null if it failed, for whatever reason. */
  async query<T extends QueryResultRow>(statement: QueryConfig): Promise<QueryResult<T> | null> {
    if (this.pool === null || !this.isUsable) return null;
    try {
      const result = await this.pool.query<T>(statement);
      this.reads?.inc({ server: 'replica' });
      return result;
    } catch (error) {
      this.noteFailure(error);
      return null;
    }
  }

  /** Counts a read of a request that could have used the replica. */
  countPrimaryRead(): void {
    this.reads?.inc({ server: 'primary' });
  }

  private async look(): Promise<void> {
    if (this.looks === null) return;
    const { primary, replica } = this.looks;
    const at = performance.now();
    try {
      const written = await primaryPosition(primary);
      const { position, isReplica } = await replicaPosition(replica);
      this.isOfPrimary ??= await areOfOneCluster(primary, replica);
      const isRight = isReplica && this.isOfPrimary;
      if (isRight) this.lag.note({ position: written, at }, position);
      else this.lag.reset();
      this.report(
        isRight ? this.problemOf('it is too far behind') : 'it does not follow this primary',
      );
    } catch (error) {
      // Without an answer in time there is no sample, and the age grows.
      this.noteFailure(error);
      this.report(this.problemOf(String(error)));
    }
  }

  private forgetServers(): void {
    this.isOfPrimary = null;
  }

  private problemOf(problem: string): string | null {
    return this.isUsable ? null : problem;
  }

  /** Statements fail one by one, by conflicts and limits of time; without a connection all of them do. */
  private noteFailure(error: unknown): void {
    if (isOfConnection(error)) this.lag.reset();
  }

  private report(problem: string | null): void {
    if (this.isStopped || (problem === null) === (this.problem === null)) return;
    this.problem = problem;
    if (problem === null) this.logger.log('Reads go to the replica');
    else this.logger.warn(`Reads go to the primary, as the replica cannot be used: ${problem}`);
  }

  private measure({ registry }: MetricsRegistry): void {
    const registers = [registry];
    this.reads = new Counter({
      name: 'guildhall_db_reads_total',
      help: 'Reads of requests that can use the replica, by the server that answered',
      labelNames: ['server'],
      registers,
    });
    const { lag } = this;
    new Gauge({
      name: 'guildhall_db_replica_lag_seconds',
      help: 'Age of what the replica shows, at most',
      registers,
      collect() {
        this.set(lag.at(performance.now()) / 1000);
      },
    });
  }
}

/** Returns true if the connection was lost or refused, not if it or an answer was late. */
function isOfConnection(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code === 'string') return /^(?:08|57P|ECONN|EPIPE)/.test(code);
  return /^Connection terminated(?! due to connection timeout)/.test(String(message));
}

function openPool(connectionString: string, options: pg.PoolConfig): pg.Pool {
  return new pg.Pool({
    connectionString,
    ...SESSION_OPTIONS,
    statement_timeout: READ_TIMEOUT_MS,
    query_timeout: CLIENT_TIMEOUT_MS,
    connectionTimeoutMillis: LOOK_TIMEOUT_MS,
    Client: clientClass(),
    ...options,
  });
}
