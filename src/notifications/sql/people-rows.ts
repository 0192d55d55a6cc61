import { MAIL_REASONS, type MailReason } from '../notification-values.js';

/**
 * Part of a user, as the rules differ (mentioned, participating, only watching or subscribed).
 * `declined` = has unsubscribed from the thread.
 */
export const PARTS = { mention: 1, participating: 2, watch: 3, subscription: 4, declined: 5 };
export type Part = keyof typeof PARTS;

/** Columns of one row about a user; missing ones are NULL. All values are SQL. */
interface PersonRow {
  user: string;
  part?: string;
  reason?: string;
  /** A role that they have in the project, directly or from above. */
  access?: string;
  /** `ARRAY[depth, level, events]` of a setting of theirs; the deepest counts. */
  setting?: string;
}

/** SELECT list of rows about people, the same for all sources of such rows. */
export function personRow(row: PersonRow): string {
  const { user, part = 'NULL', reason = 'NULL', access = 'NULL', setting = 'NULL' } = row;
  return `SELECT ${user} AS user_id, ${part}::smallint AS part, ${reason}::smallint AS reason,
    ${access}::integer AS access, ${setting}::integer[] AS setting`;
}

/** Returns the row of a user who is notified as `part`, for `reason` or for none in particular. */
export function candidate(user: string, part: Part, reason?: MailReason): string {
  const why = reason === undefined ? {} : { reason: String(MAIL_REASONS[reason]) };
  return personRow({ user, part: String(PARTS[part]), ...why });
}
