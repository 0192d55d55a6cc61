import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { credentialDigest } from '../core/digest.js';
import { Sql } from '../core/sql/sql.service.js';

/** An OAuth token that somebody showed, by either half of its pair. */
export interface FoundToken {
  id: number;
  /** null = of an application by itself. */
  userId: number | null;
  applicationId: number | null;
  /** The client_id; null when it was issued without one. */
  applicationUid: string | null;
  scopes: string[];
  /** First token of its chain of refreshes. */
  familyId: number;
  createdAt: Date;
  revokedAt: Date | null;
  /** When the half that was shown ends. */
  expiresAt: Date;
  /** Whether the refresh token was shown. */
  isRefresh: boolean;
  /** Whether its user may act; true without one. */
  mayAct: boolean;
}

const FIND_SQL = `
  SELECT t.id, t.user_id AS "userId", t.application_id AS "applicationId",
    a.uid AS "applicationUid", t.scopes, coalesce(t.family_id, t.id) AS "familyId",
    t.created_at AS "createdAt", t.revoked_at AS "revokedAt", t.digest <> $1 AS "isRefresh",
    CASE WHEN t.digest = $1 THEN t.expires_at ELSE t.refresh_expires_at END AS "expiresAt",
    t.user_id IS NULL OR (u.state = 'active' AND u.user_type <> 'internal'
      AND u.confirmed_at IS NOT NULL) AS "mayAct"
  FROM access_tokens t
    LEFT JOIN users u ON u.id = t.user_id
    LEFT JOIN oauth_applications a ON a.id = t.application_id
  WHERE t.kind = 'oauth' AND (t.digest = $1 OR t.refresh_digest = $1)`;

/** Finds OAuth tokens by what was shown of them; other kinds of tokens are none. */
@Injectable()
export class OAuthTokensFinder {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** The token in any state, or null. Which half it is shows by itself: hints are not needed. */
  find(raw: string): Promise<FoundToken | null> {
    return this.sql.row<FoundToken>(FIND_SQL, [credentialDigest(raw)]);
  }

  /** The token if it is one that still works, else null. */
  async findAlive(raw: string): Promise<FoundToken | null> {
    const token = await this.find(raw);
    if (token === null || token.revokedAt !== null || !token.mayAct) return null;
    return token.expiresAt > this.clock.now() ? token : null;
  }
}
