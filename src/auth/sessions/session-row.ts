import type { SessionContext } from '../../core/access/auth-context.js';
import type { Viewer } from '../../core/access/viewer.js';

/** A living session with its user. */
export interface FoundSession extends SessionContext {
  lastSeenAt: Date;
  remembered: boolean;
  user: Viewer;
}

interface SessionRow extends Viewer {
  session_id: number;
  signed_in_at: Date;
  last_seen_at: Date;
  remembered: boolean;
}

/** Finds a session by digest ($1) that has not ended at $2; $3 and $4: idle minutes allowed. */
export const FIND_SESSION_SQL = `
  SELECT s.id AS session_id, s.signed_in_at, s.last_seen_at, s.remembered,
         u.id, u.username, u.name, u.email, u.admin, u.external, u.state,
         u.user_type AS "userType", u.confirmed_at IS NOT NULL AS confirmed
  FROM sessions s JOIN users u ON u.id = s.user_id
  WHERE s.digest = $1 AND s.expires_at > $2 AND u.state = 'active'
    AND s.last_seen_at > $2::timestamptz
        - CASE WHEN s.remembered THEN $4::integer ELSE $3::integer END * interval '1 minute'`;

/** What FIND_SESSION_SQL found. */
export function toSession(row: SessionRow): FoundSession {
  const { session_id: id, signed_in_at: signedInAt, last_seen_at: lastSeenAt, ...rest } = row;
  const { remembered, ...user } = rest;
  return { id, signedInAt, lastSeenAt, remembered, user };
}

export type { SessionRow };
