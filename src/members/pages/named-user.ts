import type { Viewer } from '../../core/access/viewer.js';
import { InvalidParamsError } from '../../core/errors.js';
import type { Sql } from '../../core/sql/sql.service.js';

/**
 * The username that a form means, given as such or as an e-mail address. Addresses that are not
 * shown to everybody are found by administrators only, as in lists of users; an unknown one is
 * answered as it is, which no user has. Throws 400 for nothing.
 */
export async function namedUser(sql: Sql, text: string, viewer: Viewer | null): Promise<string> {
  const name = text.trim().replace(/^@/, '');
  if (name === '') throw new InvalidParamsError(['username is missing']);
  if (!name.includes('@')) return name;
  const row = await sql.row<{ username: string }>(
    `SELECT username FROM users
     WHERE lower(public_email) = lower($1) OR ($2::boolean AND lower(email) = lower($1))
     ORDER BY id LIMIT 1`,
    [name, viewer?.admin === true],
  );
  return row?.username ?? name;
}
