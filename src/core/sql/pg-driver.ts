import { AsyncResource } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';
import pg, { type PoolClient } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { endFailed, isTracing, startClientSpan } from '../tracing/tracing.js';
import { LookUps } from './look-ups.js';
import { requestReads } from './replica/request-reads.js';

/** Longer statements are cut off. */
const MAX_TEXT = 4_000;

type Callback = (error: Error | null, result: unknown) => void;

/** A connection whose statements are spans. Their texts have placeholders; values are left out. */
class TracedClient extends pg.Client {
  override query = ((...args: unknown[]): unknown => {
    const query = super.query.bind(this) as (...given: unknown[]) => unknown;
    const span = startStatement(args[0], this.database);
    if (span === null) return query(...args);
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      return query(...args.slice(0, -1), ended(span, callback as Callback));
    }
    const result = query(...args);
    if (result instanceof Promise) {
      result.then(
        () => span.end(),
        (error: unknown) => endFailed(span, error),
      );
    } else {
      // The result is a stream of rows: the span covers sending the statement only.
      span.end();
    }
    return result;
  }) as pg.Client['query'];
}

function startStatement(query: unknown, database: string | undefined): Span | null {
  const text = typeof query === 'string' ? query : ((query as { text?: string }).text ?? '');
  const operation = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? 'QUERY';
  return startClientSpan(operation, {
    'db.system.name': 'postgresql',
    'db.namespace': database ?? '',
    'db.operation.name': operation,
    'db.query.text': text.slice(0, MAX_TEXT),
  });
}

function ended(span: Span, callback: Callback): Callback {
  return (error, result) => {
    if (error === null) span.end();
    else endFailed(span, error);
    callback(error, result);
  };
}

/** Tests the connection. */
export const PING_SQL = 'SELECT 1';

/** Settings of the connections of every pool, and of single ones. */
export const SESSION_OPTIONS = {
  application_name: 'guildhall',
  // Compiling a statement takes longer than running any of ours. Workers of a page read thousands of
  // rows before the first of them arrive, where one process finds the page in a few: only statements
  // that cost ten times as much as PostgreSQL asks for are worth starting them. The default price
  // of random reads, 4, suits turning disks; near 1, lists with a common word read too much by index.
  options: '-c jit=off -c parallel_setup_cost=10000 -c random_page_cost=2',
  // A new connection has to learn the tables: its first page takes ten times as long as another.
  idleTimeoutMillis: 300_000,
  // Keeps the way open through routers that forget quiet connections.
  keepAlive: true,
  keepAliveInitialDelayMillis: 60_000,
};

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** A pool that reports how long callers wait for a connection, and the connection of look-ups. */
class MeasuredPool extends pg.Pool {
  readonly lookUps: LookUps;
  /** Called with the seconds of each wait. */
  onWait: ((seconds: number) => void) | null = null;
  /** True to run callbacks in the context of the request that asked, not of the one that released. */
  keepsContext = isTracing();

  constructor(config: pg.PoolConfig, ClientClass: typeof pg.Client) {
    super({ ...config, Client: ClientClass });
    // Plans made while a table was small would read all of it until it is analysed.
    const options = `${SESSION_OPTIONS.options} -c enable_seqscan=off`;
    const ofLookUps = { ...this.options, options };
    this.lookUps = new LookUps((socket) => new ClientClass({ ...ofLookUps, ...socket }));
  }

  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | void {
    const ended = Promise.all([this.lookUps.close(), super.end()]).then(() => undefined);
    return callback === undefined ? ended : void ended.then(callback, callback);
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<PoolClient> | void {
    requestReads()?.leaveReplica();
    const { onWait } = this;
    // `Pool.query` connects by a callback, too.
    const connected = callback && this.keepsContext ? AsyncResource.bind(callback) : callback;
    if (onWait === null || this.idleCount > this.waitingCount) {
      return connected === undefined ? super.connect() : super.connect(connected);
    }
    const startedAt = performance.now();
    const measure = (): void => onWait((performance.now() - startedAt) / 1000);
    if (connected === undefined) return super.connect().finally(measure);
    super.connect((...result) => {
      measure();
      connected(...result);
    });
  }
}

/** The `pg` module with the pool that was created last. */
interface PgDriver {
  pool: MeasuredPool | null;
}

/** Returns the class of connections, whose statements are spans where traces are made. */
export function clientClass(): typeof pg.Client {
  return isTracing() ? TracedClient : pg.Client;
}

/** Returns the class of connections to the primary, which tell a request that it writes. */
function primaryClientClass(): typeof pg.Client {
  return class extends clientClass() {
    constructor(config?: pg.ClientConfig) {
      super(config);
      const send = this.query.bind(this) as (...args: unknown[]) => unknown;
      this.query = ((...args: unknown[]) => {
        requestReads()?.noteStatement(textOf(args[0]));
        return send(...args);
      }) as pg.Client['query'];
    }
  };
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement;
  return (statement as { text?: string }).text ?? '';
}

/**
 * Returns `pg` for TypeORM's `driver` option, so that `poolOf` finds the pool TypeORM creates. Only
 * beside a replica its connections look at each statement, for those that write.
 */
export function createPgDriver({ hasReplica = false }: { hasReplica?: boolean }): PgDriver {
  const driver = {
    ...pg,
    pool: null as MeasuredPool | null,
    Pool: class extends MeasuredPool {
      constructor(config: pg.PoolConfig = {}) {
        super(config, hasReplica ? primaryClientClass() : clientClass());
        this.keepsContext ||= hasReplica;
        driver.pool = this;
      }
    },
  };
  return driver;
}

/** Returns the connection pool of a data source; throws before it is initialized. */
export function poolOf({ options }: DataSource): MeasuredPool {
  const driver = ('driver' in options ? options.driver : null) as PgDriver | null;
  const pool = driver?.pool ?? null;
  if (pool === null) throw new Error('The data source has no connection pool yet');
  return pool;
}

/**
 * Runs a statement of a transaction as a named prepared statement, which is parsed and planned once
 * per connection, and returns its rows. Throws outside a transaction.
 */
export async function queryPrepared<T extends object>(
  manager: EntityManager,
  statement: { name: string; text: string; values: unknown[] },
): Promise<T[]> {
  const client = (await manager.queryRunner?.connect()) as PoolClient | undefined;
  if (client === undefined) throw new Error('Not inside a transaction');
  return (await client.query<T>(statement)).rows;
}
