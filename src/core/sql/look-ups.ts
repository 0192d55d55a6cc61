import { Socket } from 'node:net';
import pg, { type Client, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';
import { endsSession } from '../errors.js';

/** Maximum number of pending look-ups; one takes some 20 to 200 microseconds. */
const MAX_PENDING = 100;

/** A connection that has been silent for so long gets no further look-ups. */
const SILENT_MS = 20;

/** Look-ups behind others fall back to the pool after this time. */
const LATE_MS = 250;

/** Time between attempts to connect. */
const RETRY_MS = 1_000;

/** A prepared statement that is missing, because preparing it failed for the look-up before. */
const UNPREPARED = '26000';

/** A socket that sends together what is written in one turn of the event loop; TLS writes past it. */
class BatchingSocket extends Socket {
  private isHeld = false;

  override cork(): void {
    if (this.isHeld) return;
    this.isHeld = true;
    super.cork();
    setImmediate(() => {
      this.isHeld = false;
      super.uncork();
    });
  }

  /** pg corks around each statement; what it writes goes out with the others. */
  override uncork(): void {
    // `cork` does it later.
  }
}

interface Connection {
  client: Client;
  pending: number;
  answeredAt: number;
}

/**
 * One connection of a process for all its look-ups: statements that find a row by a key and write
 * nothing. They are sent one behind the other without waiting for answers, so that those of
 * concurrent requests share system calls on both sides, which cost more than finding the row.
 */
export class LookUps {
  private connection: Connection | null = null;
  private connecting: Promise<void> | null = null;
  private isClosed = false;
  private retryAt = 0;

  /** `create` returns a new connection in pg's pipeline mode over the socket, not yet connected. */
  constructor(private readonly create: (config: { stream: () => Socket }) => Client) {}

  /**
   * Runs a look-up. The pool is asked while there is no connection or it is silent, when the answer
   * is late, and when the connection is lost.
   */
  query<T extends QueryResultRow>(
    statement: QueryConfig,
    queryPool: () => Promise<QueryResult<T>>,
  ): Promise<QueryResult<T>> {
    const { connection } = this;
    const now = performance.now();
    if (connection === null) {
      this.connect(now);
      return queryPool();
    }
    const isFirst = connection.pending === 0;
    if (isFirst) connection.answeredAt = now;
    const isSilent = now - connection.answeredAt > SILENT_MS;
    if (isSilent || connection.pending >= MAX_PENDING) return queryPool();
    connection.pending += 1;
    const answer = connection.client.query<T>(statement);
    const settle = (): void => {
      connection.pending -= 1;
      connection.answeredAt = performance.now();
    };
    answer.then(settle, settle);
    return withPool(answer, queryPool, { isFirst });
  }

  /** Closes the connection after its last answer. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.connecting;
    const { connection } = this;
    this.connection = null;
    await connection?.client.end();
  }

  private connect(now: number): void {
    if (this.isClosed || this.connecting !== null || now < this.retryAt) return;
    this.retryAt = now + RETRY_MS;
    this.connecting = this.open()
      // The pool, which is asked meanwhile, reports the same error to its callers.
      .catch(() => undefined)
      .finally(() => {
        this.connecting = null;
      });
  }

  private async open(): Promise<void> {
    const client = this.create({ stream: () => new BatchingSocket() });
    const connection = { client, pending: 0, answeredAt: 0 };
    const forget = (): void => {
      if (this.connection === connection) this.connection = null;
    };
    client.on('end', forget);
    // The look-ups under way fail with the same error; unheard, the event would end the process.
    client.on('error', () => {
      forget();
      client.end().catch(() => undefined);
    });
    await client.connect();
    this.connection = connection;
  }
}

/**
 * Returns the answer; that of the pool if the connection is lost, or the first of both if it is late.
 * Only those behind others are called late: the pool would not find the row of the first one faster.
 */
async function withPool<T>(
  answer: Promise<T>,
  queryPool: () => Promise<T>,
  { isFirst }: { isFirst: boolean },
): Promise<T> {
  if (!isFirst && (await isLate(answer))) {
    return Promise.any([answer, queryPool()]).catch((failed: AggregateError) => {
      throw failed.errors[1];
    });
  }
  try {
    return await answer;
  } catch (error) {
    if (isStatementError(error)) throw error;
    return await queryPool();
  }
}

function isLate(answer: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LATE_MS, true);
    const answered = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    answer.then(answered, answered);
  });
}

/** False if the connection was lost, or if another look-up is to blame. */
function isStatementError(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return !endsSession(error) && error.code !== UNPREPARED;
}
