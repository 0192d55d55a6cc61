import type { Viewer } from '../../core/access/viewer.js';

const VIEWER_COLUMNS = `
  id, username, name, email, admin, external, state, user_type AS "userType",
  confirmed_at IS NOT NULL AS confirmed`;

/** The person with this username or confirmed e-mail address ($1), in any case. */
export const CANDIDATE_SQL = `
  SELECT id, password_digest AS "passwordDigest" FROM users
  WHERE user_type = 'human' AND (lower(username) = lower($1) OR lower(email) = lower($1)
    OR id = (SELECT user_id FROM user_emails
             WHERE lower(email) = lower($1) AND confirmed_at IS NOT NULL))`;

/** Forgets wrong passwords; nothing when the password has been changed meanwhile. */
export const SUCCEED_SQL = `
  UPDATE users SET failed_attempts = 0, locked_at = NULL
  WHERE id = $1 AND password_digest = $2 RETURNING ${VIEWER_COLUMNS}`;

/** Whose password is to be looked at. */
export interface Candidate {
  id: number;
  /** null = nobody knows a password. */
  passwordDigest: string | null;
}

/** Somebody who gave the right password. */
export interface Identified {
  viewer: Viewer;
  /** Of the password that was right: whoever acts on it later makes sure that it still is. */
  passwordDigest: string;
}
