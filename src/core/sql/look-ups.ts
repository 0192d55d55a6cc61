import { Socket } from 'node:net';
import pg, { type Client, type QueryConfig, type QueryResult, type QueryResultRow } from 'pg';

/** Look-ups that wait on the shared connection at most; one takes some 20 to 200 microseconds. */
const MAX_WAITING = 100;

/** No others are sent behind one that is not answered for so long. */
const SLOW_MS = 20;

/** Those that were sent behind it before ask the pool then. */
const PATIENCE_MS = 250;

/** Attempts to connect are so far apart; callers use the pool meanwhile. */
const RETRY_MS = 1_000;

/** A socket that sends together what is written while the event loop looks at what has come in. */
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

/**
 * One connection of a process for all its look-ups: statements that find a row by a key and write
 * nothing. They are sent one behind the other without waiting for answers, so that those of
 * concurrent requests share system calls on both sides, which cost more than finding the row.
 */
export class LookUps {
  private client: Client | null = null;
  private isConnecting = false;
  private isClosed = false;
  private retryAt = 0;
  private waiting = 0;
  private answeredAt = 0;

  /** `create` returns a new connection in pg's pipeline mode over the socket, not yet connected. */
  constructor(private readonly create: (config: { stream: () => Socket }) => Client) {}

  /**
   * Runs a look-up. The pool is asked while there is no connection, when one of the look-ups before
   * takes long, and again for those that a lost connection left without an answer.
   */
  async query<T extends QueryResultRow>(
    statement: QueryConfig,
    askPool: () => Promise<QueryResult<T>>,
  ): Promise<QueryResult<T>> {
    const now = performance.now();
    if (this.client === null) {
      this.connect(now);
      return askPool();
    }
    if (this.waiting === 0) this.answeredAt = now;
    else if (this.waiting >= MAX_WAITING || now - this.answeredAt > SLOW_MS) return askPool();
    this.waiting += 1;
    try {
      const answer = this.client.query<T>(statement);
      return await (this.waiting === 1 ? answer : orLater(answer, askPool));
    } catch (error) {
      if (isRefusal(error)) throw error;
      return await askPool();
    } finally {
      this.waiting -= 1;
      this.answeredAt = performance.now();
    }
  }

  /** Closes the connection after its last answer. */
  async close(): Promise<void> {
    const { client } = this;
    this.client = null;
    this.isClosed = true;
    await client?.end();
  }

  private connect(now: number): void {
    if (this.isClosed || this.isConnecting || now < this.retryAt) return;
    this.isConnecting = true;
    this.retryAt = now + RETRY_MS;
    const client = this.create({ stream: () => new BatchingSocket() });
    const drop = (): void => {
      if (this.client === client) this.client = null;
    };
    // The look-ups under way fail with the same error; unheard, the event would end the process.
    client.on('error', drop);
    client.on('end', drop);
    const connected = async (): Promise<void> => {
      await client.connect();
      if (this.isClosed) await client.end();
      else this.client = client;
    };
    connected()
      .catch(drop)
      .finally(() => {
        this.isConnecting = false;
      });
  }
}

/** True if PostgreSQL refused the statement, false if it ended the connection (57P01 to 57P05) or is gone. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith('57P') !== true;
}

/** The answer, or that of the pool if it comes first, which is asked when the answer is late. */
function orLater<T>(answer: Promise<T>, askPool: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => void askPool().then(resolve, reject), PATIENCE_MS);
    void answer.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}
