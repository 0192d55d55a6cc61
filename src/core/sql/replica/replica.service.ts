import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import pg, { type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import { Counter, Gauge } from 'prom-client';
import { DataSource } from 'typeorm';
import { CONFIG } from '../../../config/config.module.js';
import type { Config } from '../../../config/env.js';
import { withTimeout } from '../../clock.js';
import { MetricsRegistry } from '../../metrics/metrics-registry.js';
import { clientClass, poolOf, SESSION_OPTIONS } from '../pg-driver.js';
import { RecentWrites } from './recent-writes.service.js';
import { primaryPosition, replicaPosition } from './positions.js';
import { ReplicaLag } from './replica-lag.js';

/** Rows can be this old; with a reading of the positions in between, far below the 5 s of writers. */
const MAX_LAG_MS = 2_000;
const LOOK_EVERY_MS = 250;
const LOOK_TIMEOUT_MS = 1_000;
/** Reads that take longer are asked of the primary, with its own limit. */
const READ_TIMEOUT_MS = 2_000;

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
  private next: NodeJS.Timeout | undefined;
  private stopped = false;
  /** What is wrong, as it was logged; null while reads go to the replica. */
  private problem: string | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly writes: RecentWrites,
    metrics: MetricsRegistry,
    @Inject(CONFIG) { databaseReplicaUrl, databasePoolSize }: Config,
  ) {
    this.pool =
      databaseReplicaUrl === undefined ? null : openPool(databaseReplicaUrl, databasePoolSize);
    if (this.pool === null) return;
    // Connections that break while idle are replaced; statements under way report it themselves.
    this.pool.on('error', (error) => this.noteFailure(error));
    if (metrics.isEnabled) this.measure(metrics);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.pool !== null) await Promise.all([this.look(this.pool), this.writes.start()]);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.next);
    await this.pool?.end();
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

  private async look(pool: pg.Pool): Promise<void> {
    const at = performance.now();
    try {
      const primary = await withTimeout(LOOK_TIMEOUT_MS, primaryPosition(poolOf(this.dataSource)));
      const { position, isReplica } = await withTimeout(LOOK_TIMEOUT_MS, replicaPosition(pool));
      if (isReplica) this.lag.note({ position: primary, at }, position);
      else this.lag.reset();
      this.report(isReplica ? this.lagProblem() : 'it is not a replica');
    } catch (error) {
      this.lag.reset();
      this.report(String(error));
    }
    if (!this.stopped) this.next = setTimeout(() => void this.look(pool), LOOK_EVERY_MS);
  }

  private lagProblem(): string | null {
    return this.isUsable ? null : 'it is too far behind';
  }

  /** Statements fail one by one, by conflicts with recovery; without a connection all of them do. */
  private noteFailure(error: unknown): void {
    const { code } = error as { code?: unknown };
    const isOfStatement = typeof code === 'string' && /^(?!08|57P)[0-9A-Z]{5}$/.test(code);
    if (!isOfStatement) this.lag.reset();
  }

  private report(problem: string | null): void {
    if (this.stopped || (problem === null) === (this.problem === null)) return;
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

function openPool(connectionString: string, max: number): pg.Pool {
  return new pg.Pool({
    connectionString,
    max,
    ...SESSION_OPTIONS,
    statement_timeout: READ_TIMEOUT_MS,
    query_timeout: READ_TIMEOUT_MS,
    connectionTimeoutMillis: LOOK_TIMEOUT_MS,
    Client: clientClass(),
  });
}
