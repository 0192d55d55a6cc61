import { UnavailableError } from '../../core/errors.js';
import type { TransactionRows } from '../../core/sql/sql.service.js';

/** What has to be known of an error to count more events of it. */
export interface LockedError {
  id: number;
  usersCount: number;
  sampledDay: string;
  sampledCount: number;
}

/** In the order of the ids, as everywhere: batches never wait for each other crosswise. */
const LOCK_SQL = `
  SELECT id, users_count AS "usersCount", sampled_day AS "sampledDay",
    sampled_count AS "sampledCount"
  FROM errors WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE`;

/** An error was deleted since its hash was read: read again, there is a new one to be made. */
export class VanishedErrorError extends UnavailableError {
  constructor() {
    super(1);
  }
}

/**
 * Locks the errors until the end of the transaction: nobody else writes about them meanwhile, not
 * to their tags and trends either. Throws VanishedErrorError unless all are there.
 */
export async function lockErrors(
  rows: TransactionRows,
  ids: readonly number[],
): Promise<Map<number, LockedError>> {
  const locked = await rows<LockedError>(LOCK_SQL, [ids]);
  if (locked.length < ids.length) throw new VanishedErrorError();
  return new Map(locked.map((error) => [error.id, error]));
}
