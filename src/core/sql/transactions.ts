/** Settings of one transaction of `Sql.transaction`. */
export interface TransactionOptions {
  /**
   * Advisory lock keys; transactions with a common key run one at a time in all processes. A process
   * that is suspended for two seconds loses its transaction and the locks.
   */
  lock?: number | readonly number[];
  /**
   * Plans by indexes only: for statements that name single rows of tables that grow fast. What was
   * planned while such a table was small would otherwise read all of it until it is analysed.
   */
  avoidsScans?: boolean;
  /** Aborts the transaction after two idle seconds, as with `lock`: others wait for its rows. */
  isBrief?: boolean;
}

/** Two such transactions end before statements that wait for them time out. */
const MAX_IDLE_MS = 2_000;

/** Begins the transaction and takes its locks, always in the same order: one round trip. */
export function beginning({ lock = [], avoidsScans = false, isBrief }: TransactionOptions): string {
  const keys = [lock].flat().toSorted((one, other) => one - other);
  const planning = avoidsScans ? '; SET LOCAL enable_seqscan = off' : '';
  const limit = `; SET LOCAL idle_in_transaction_session_timeout = ${MAX_IDLE_MS}`;
  const locking = keys.map((key) => `; SELECT pg_advisory_xact_lock(${key})`).join('');
  return `BEGIN${planning}${isBrief === true || keys.length > 0 ? limit : ''}${locking}`;
}
