import { setTimeout as delay } from 'node:timers/promises';
import type { Sql, TransactionRows } from './sql.service.js';

/** Whoever wants to use the table waits behind us for this long at most. */
const LOCK_TIMEOUT_MS = 300;

/** Before the second, third, … attempt. */
const PAUSES_MS = [200, 500, 1_000, 2_000];

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/**
 * Runs a transaction that takes a whole table for itself. It waits for the table only briefly, so
 * that nobody waits long behind it, and tries again a few times. Throws when the table stays busy.
 */
export async function withLockRetry<T>(
  sql: Sql,
  work: (rows: TransactionRows) => Promise<T>,
): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await attempt(sql, work);
    } catch (error) {
      if (!isBusy(error)) throw error;
      await delay(pause);
    }
  }
  return attempt(sql, work);
}

function attempt<T>(sql: Sql, work: (rows: TransactionRows) => Promise<T>): Promise<T> {
  return sql.transaction(async (rows) => {
    await rows(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    return work(rows);
  });
}

/** Whether others had what the transaction wanted: nothing is wrong, it may be tried again. */
export function isBusy(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === LOCK_NOT_AVAILABLE || code === DEADLOCK;
}
