import { InvalidParamsError, NotFoundError } from '../core/errors.js';
import type { Sql } from '../core/sql/sql.service.js';

interface UserChoice {
  user_id?: number | null;
  username?: string | null;
}

/**
 * Id of the user that a new membership names by id or by username in any case.
 * Throws 400 unless exactly one is given, 404 for an unknown username.
 */
export async function chosenUserId(sql: Sql, choice: UserChoice): Promise<number> {
  const { user_id: id, username } = choice;
  if (id && username) throw new InvalidParamsError(['user_id, username are mutually exclusive']);
  if (id) return id;
  if (!username) {
    const text = 'user_id, username are missing, at least one parameter must be provided';
    throw new InvalidParamsError([text]);
  }
  const row = await sql.row<{ id: number }>(
    'SELECT id FROM users WHERE lower(username) = lower($1)',
    [username],
  );
  if (row === null) throw new NotFoundError('User');
  return row.id;
}
