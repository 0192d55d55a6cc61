import { AsyncLocalStorage } from 'node:async_hooks';
import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';
import type { Replica } from './replica.service.js';

/** Statements that only read. Those that write, lock rows or take a number begin or go on otherwise. */
const READ = /^\s*(?:SELECT|WITH)\b/;
const NO_READ =
  /\b(?:INSERT INTO|UPDATE|DELETE FROM|FOR (?:NO KEY |KEY )?(?:UPDATE|SHARE)|nextval|pg_notify|pg_(?:try_)?advisory\w*)\b/;

const current = new AsyncLocalStorage<RequestReads>();

/**
 * Where one request reads. It begins on the replica if it may, and stays on the primary once it
 * needed it: what it reads never becomes older.
 */
export class RequestReads {
  private usesReplica: boolean;
  private isOver = false;
  /** True if the handler asked the primary for more than a read. */
  hasWritten = false;

  constructor(
    private readonly replica: Replica,
    { mayUseReplica }: { mayUseReplica: boolean },
  ) {
    this.usesReplica = mayUseReplica;
  }

  /** Runs the handler of the request. */
  run<T>(handle: () => T): T {
    return current.run(this, handle);
  }

  /** What the handler left running, such as timers, reads from the primary. */
  end(): void {
    this.isOver = true;
    this.usesReplica = false;
  }

  /** Called when the request takes a connection to the primary, other than for a read. */
  noteWrite(): void {
    if (this.isOver) return;
    this.hasWritten = true;
    this.usesReplica = false;
  }

  get isOnReplica(): boolean {
    return this.usesReplica;
  }

  /** Runs the statement; whatever fails on the replica is asked of the primary. */
  async query<T extends QueryResultRow>(
    statement: QueryConfig,
    askPrimary: () => Promise<QueryResult<T>>,
  ): Promise<QueryResult<T>> {
    if (!isRead(statement.text)) return askPrimary();
    if (this.usesReplica) {
      const result = await this.replica.query<T>(statement);
      if (result !== null) return result;
      this.usesReplica = false;
    }
    this.replica.countPrimaryRead();
    return onPrimary(askPrimary);
  }
}

function isRead(text: string): boolean {
  return READ.test(text) && !NO_READ.test(text);
}

/** Returns where the current request reads; undefined for all that must read from the primary. */
export function requestReads(): RequestReads | undefined {
  return current.getStore();
}

/** Runs work whose result must be up to date, or outlives the request, such as that of a cache. */
export function onPrimary<T>(work: () => T): T {
  return current.getStore() === undefined ? work() : current.exit(work);
}
