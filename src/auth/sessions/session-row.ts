import type { SessionContext } from '../../core/access/auth-context.js';
import type { Viewer } from '../../core/access/viewer.js';

/** A living session with its user. */
export interface FoundSession extends SessionContext {
  lastSeenAt: Date;
  remembered: boolean;
  user: Viewer;
}

/** What FIND_SESSION_SQL answers. */
export interface SessionRow extends Viewer {
  session_id: number;
  signed_in_at: Date;
  last_seen_at: Date;
  remembered: boolean;
}

/** A living session as its user sees it in the list of devices. */
export interface ListedSession {
  id: number;
  signedInAt: Date;
  /** At most a minute old while the session is in use. */
  lastSeenAt: Date;
  remembered: boolean;
  /** Where the password was given. */
  ip: string | null;
  userAgent: string;
}

/** Whether a session lives at $2; $3 and $4: idle minutes allowed, the latter when remembered. */
const IS_ALIVE = `s.expires_at > $2 AND s.last_seen_at > $2::timestamptz
        - CASE WHEN s.remembered THEN $4::integer ELSE $3::integer END * interval '1 minute'`;

/** More than anybody has; all of them are on one page, so that each can be ended. */
const MAX_SESSIONS = 100;

/** Ends those of the user $1 that were used the longest ago, if there are too many. */
export const END_SURPLUS_SQL = `
  DELETE FROM sessions WHERE id IN (
    SELECT id FROM sessions WHERE user_id = $1
    ORDER BY last_seen_at DESC, id DESC OFFSET ${MAX_SESSIONS})`;

/** Living sessions of the user $1; $2 to $4 as for IS_ALIVE. */
export const LIST_SESSIONS_SQL = `
  SELECT s.id, s.signed_in_at AS "signedInAt", s.last_seen_at AS "lastSeenAt", s.remembered,
         host(s.ip) AS ip, s.user_agent AS "userAgent"
  FROM sessions s
  WHERE s.user_id = $1 AND ${IS_ALIVE}
  ORDER BY s.last_seen_at DESC, s.id DESC
  LIMIT ${MAX_SESSIONS}`;

/** Finds a session by digest ($1) that has not ended; $2 to $4 as for IS_ALIVE. */
export const FIND_SESSION_SQL = `
  SELECT s.id AS session_id, s.signed_in_at, s.last_seen_at, s.remembered,
         u.id, u.username, u.name, u.email, u.avatar, u.admin, u.external, u.state,
         u.user_type AS "userType", u.confirmed_at IS NOT NULL AS confirmed
  FROM sessions s JOIN users u ON u.id = s.user_id
  WHERE s.digest = $1 AND u.state = 'active' AND ${IS_ALIVE}`;

/** What FIND_SESSION_SQL found. */
export function toSession(row: SessionRow): FoundSession {
  const { session_id: id, signed_in_at: signedInAt, last_seen_at: lastSeenAt, ...rest } = row;
  const { remembered, ...user } = rest;
  return { id, signedInAt, lastSeenAt, remembered, user };
}
