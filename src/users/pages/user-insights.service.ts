import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { Sql } from '../../core/sql/sql.service.js';
import type { UserFilter } from './user-filter.js';

/** What administrators see of a user beside the user's own attributes. */
export interface UserInsight {
  signInCount: number;
  currentSignInIp: string | null;
  lastSignInIp: string | null;
  failedAttempts: number;
  /** When the account was locked; null when it is open, also because the time is over. */
  lockedAt: Date | null;
  tokens: number;
  memberships: number;
  ownProjects: number;
}

const INSIGHT_SQL = `
  SELECT u.sign_in_count AS "signInCount", host(u.current_sign_in_ip) AS "currentSignInIp",
         host(u.last_sign_in_ip) AS "lastSignInIp", u.failed_attempts AS "failedAttempts",
         CASE WHEN u.locked_at > $2 THEN u.locked_at END AS "lockedAt",
         (SELECT count(*)::int FROM access_tokens t
          WHERE t.user_id = u.id AND t.kind <> 'oauth' AND t.revoked_at IS NULL
            AND (t.expires_at IS NULL OR t.expires_at > $3))
           AS tokens,
         (SELECT count(*)::int FROM members m WHERE m.user_id = u.id) AS memberships,
         (SELECT count(*)::int FROM projects p JOIN namespaces n ON n.id = p.namespace_id
          WHERE n.owner_id = u.id AND NOT p.pending_delete) AS "ownProjects"
  FROM users u WHERE u.id = $1`;

const COUNTS_SQL = `
  SELECT count(*) FILTER (WHERE user_type = 'human')::int AS people,
         count(*) FILTER (WHERE admin)::int AS admins,
         count(*) FILTER (WHERE user_type = 'human' AND state = 'pending')::int AS pending,
         count(*) FILTER (WHERE user_type = 'human' AND state = 'blocked')::int AS blocked,
         count(*) FILTER (WHERE user_type = 'human' AND state = 'banned')::int AS banned,
         count(*) FILTER (WHERE user_type = 'human' AND state = 'deactivated')::int AS deactivated,
         count(*) FILTER (WHERE user_type <> 'human')::int AS bots
  FROM users`;

const MINUTE_MS = 60_000;

/** Reads what only the administrators' pages tell of users. */
@Injectable()
export class UserInsights {
  constructor(
    private readonly sql: Sql,
    private readonly settings: InstanceSettings,
    private readonly clock: Clock,
  ) {}

  /** Of one user; null for an unknown one. */
  of(id: number): Promise<UserInsight | null> {
    const now = this.clock.now();
    const minutes = this.settings.values.failed_login_attempts_unlock_period_in_minutes;
    const lockedSince = new Date(now.getTime() - minutes * MINUTE_MS);
    return this.sql.row<UserInsight>(INSIGHT_SQL, [id, lockedSince, now]);
  }

  /** How many users each tab of the list has. */
  async counts(): Promise<Record<UserFilter, number>> {
    const row = await this.sql.row<Record<UserFilter, number>>(COUNTS_SQL);
    if (row === null) throw new Error('users could not be counted');
    return row;
  }
}
