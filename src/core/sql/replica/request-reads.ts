import { AsyncLocalStorage } from 'node:async_hooks';
import { SetMetadata } from '@nestjs/common';
import type { QueryConfig, QueryResult, QueryResultRow } from 'pg';
import type { Replica } from './replica.service.js';

/** Statements that only read. Those that write, lock rows or take a number begin or go on otherwise. */
const READ = /^\s*(?:SELECT|WITH)\b/;
const NO_READ =
  /\b(?:INSERT INTO|UPDATE|DELETE FROM|FOR (?:NO KEY |KEY )?(?:UPDATE|SHARE)|nextval|pg_notify|pg_(?:try_)?advisory\w*)\b/;

/** Statements around the reads of a transaction. */
const FRAME = /^\s*(?:BEGIN|START|SAVEPOINT|RELEASE|SET LOCAL|COMMIT|ROLLBACK)\b/;

const current = new AsyncLocalStorage<RequestReads>();

/**
 * Where one request reads. It begins on the replica if it may, and stays on the primary once it
 * needed it: what it reads never becomes older.
 */
export class RequestReads {
  private usesReplica: boolean;
  private isOver = false;
  private isWriter = false;
  private readonly onWrite: () => void;

  /** `onWrite` is called before the first write of the handler. */
  constructor(
    private readonly replica: Replica,
    { mayUseReplica, onWrite }: { mayUseReplica: boolean; onWrite: () => void },
  ) {
    this.usesReplica = mayUseReplica;
    this.onWrite = onWrite;
  }

  /** Runs the handler of the request. */
  run<T>(handle: () => T): T {
    return current.run(this, handle);
  }

  /** Work that the handler left running, such as timers, reads from the primary. */
  end(): void {
    this.isOver = true;
    this.usesReplica = false;
  }

  /** Called when the request takes a connection to the primary. */
  leaveReplica(): void {
    this.usesReplica = false;
  }

  /** Called with each statement that the request sends to the primary. */
  noteStatement(text: string): void {
    if (this.isOver || this.isWriter || isRead(text) || isFrame(text)) return;
    this.isWriter = true;
    this.onWrite();
  }

  get hasWritten(): boolean {
    return this.isWriter;
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

  /** Looks for what the replica lacks; the request stays on the primary if it is there. */
  async findOnPrimary<T>(find: () => Promise<T | null>): Promise<T | null> {
    this.replica.countPrimaryRead();
    const found = await onPrimary(find);
    if (found !== null) this.leaveReplica();
    return found;
  }
}

function isRead(text: string): boolean {
  return READ.test(text) && !NO_READ.test(text);
}

function isFrame(text: string): boolean {
  return FRAME.test(text) && !NO_READ.test(text);
}

/** Returns where the current request reads; undefined for all that must read from the primary. */
export function requestReads(): RequestReads | undefined {
  return current.getStore();
}

/** Runs work whose result must be up to date, or outlives the request, such as that of a cache. */
export function onPrimary<T>(work: () => T): T {
  return current.getStore() === undefined ? work() : current.exit(work);
}

export const READS_PRIMARY_KEY = 'guildhall:reads-primary';

/**
 * Keeps what a handler of GET reads on the primary: tokens, sessions, consents and emailed links,
 * whose revocation or use must be seen at once.
 */
export const ReadsPrimary = (): MethodDecorator & ClassDecorator =>
  SetMetadata(READS_PRIMARY_KEY, true);

export const NEVER_WRITES_KEY = 'guildhall:never-writes';

/** Marks a handler that only reads although its method is not GET, such as the POST of `git fetch`. */
export const NeverWrites = (): MethodDecorator => SetMetadata(NEVER_WRITES_KEY, true);
