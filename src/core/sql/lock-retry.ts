import { setTimeout as delay } from 'node:timers/promises';
import type { Sql, TransactionRows } from './sql.service.js';

/** Maximum time that other transactions wait for the table behind ours. */
const LOCK_TIMEOUT_MS = 300;

/** Before the second, third, … attempt. */
const PAUSES_MS = [200, 500, 1_000, 2_000];

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/**
 * Runs a transaction that locks a whole table. Waits for the lock only briefly, so that others do
 * not queue up behind it, and retries a few times. Throws when the table stays busy.
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

/** Returns true for lock conflicts, which a retry can resolve. */
export function isBusy(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === LOCK_NOT_AVAILABLE || code === DEADLOCK;
}
