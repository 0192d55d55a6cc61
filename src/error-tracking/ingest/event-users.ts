import type { TransactionRows } from '../../core/sql/sql.service.js';
import type { ErrorGroup } from './error-group.js';
import { InputColumns } from './input-columns.js';

/** People are counted exactly up to here. */
const MAX_USERS = 10_000;

interface ErrorUserRow {
  errorId: number;
  userHash: Buffer;
}

const USERS = new InputColumns<ErrorUserRow>([
  ['error_id', 'bigint', ({ errorId }) => errorId],
  ['user_hash', 'bytea', ({ userHash }) => userHash],
]);

const INSERT_SQL = `
  INSERT INTO error_users (error_id, user_hash)
  SELECT n.error_id, n.user_hash FROM ${USERS.source}
  ON CONFLICT DO NOTHING
  RETURNING error_id AS "errorId"`;

/** Notes whom the events happened to, and counts in each group who is new. */
export async function countUsers(
  rows: TransactionRows,
  groups: readonly ErrorGroup[],
): Promise<void> {
  const counting = groups.filter(({ error }) => error.usersCount < MAX_USERS);
  const users = counting.flatMap(usersOf);
  if (users.length === 0) return;
  const inserted = await rows<{ errorId: number }>(INSERT_SQL, USERS.values(users));
  const byId = new Map(counting.map((group) => [group.error.id, group]));
  for (const { errorId } of inserted) (byId.get(errorId) as ErrorGroup).newUsers += 1;
}

/** As many as there is room for. */
function usersOf({ error, items }: ErrorGroup): ErrorUserRow[] {
  const hashes = new Map<string, Buffer>();
  for (const { event } of items) {
    if (event.userHash !== null) hashes.set(event.userHash.toString('latin1'), event.userHash);
  }
  const room = MAX_USERS - error.usersCount;
  return [...hashes.values()].slice(0, room).map((userHash) => ({ errorId: error.id, userHash }));
}
