import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditTrail, type AuditActor } from '../../core/audit/audit.service.js';
import { Clock } from '../../core/clock.js';
import { NotFoundError } from '../../core/errors.js';
import { Sql } from '../../core/sql/sql.service.js';
import { CredentialCache } from '../../tokens/credential-cache.service.js';
import { lockTokenOwner } from '../token-endings.service.js';

/** More than anybody has; what is revoked makes room for the rest. */
const MAX_LISTED = 500;

/** An application that may act for the user. */
export interface AuthorizedApplication {
  id: number;
  name: string;
  /** When it got its newest token. */
  authorizedAt: Date;
  scopes: string[];
}

const LIST_SQL = `
  SELECT a.id, a.name, max(t.created_at) AS "authorizedAt",
         array_agg(DISTINCT s.scope ORDER BY s.scope) AS scopes
  FROM access_tokens t
  JOIN oauth_applications a ON a.id = t.application_id
  CROSS JOIN LATERAL unnest(t.scopes) s(scope)
  WHERE t.user_id = $1 AND t.kind = 'oauth' AND t.revoked_at IS NULL
  GROUP BY a.id ORDER BY max(t.created_at) DESC, a.id LIMIT ${MAX_LISTED}`;

const REVOKE_GRANTS_SQL = `
  UPDATE oauth_access_grants SET revoked_at = $3
  WHERE application_id = $1 AND user_id = $2 AND revoked_at IS NULL`;

const REVOKE_TOKENS_SQL = `
  UPDATE access_tokens SET revoked_at = $3, updated_at = $3
  WHERE application_id = $1 AND user_id = $2 AND kind = 'oauth' AND revoked_at IS NULL
  RETURNING digest`;

const HAS_SAME_SCOPES_SQL = `
  SELECT 1 FROM access_tokens
  WHERE application_id = $1 AND user_id = $2 AND kind = 'oauth' AND revoked_at IS NULL
    AND scopes @> $3::text[] AND scopes <@ $3::text[]
  LIMIT 1`;

/** What users let applications do for them. */
@Injectable()
export class AuthorizedApplications {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sql: Sql,
    private readonly audit: AuditTrail,
    private readonly cache: CredentialCache,
    private readonly clock: Clock,
  ) {}

  /** Applications with tokens of the user, one row each, the newest first. */
  list(userId: number): Promise<AuthorizedApplication[]> {
    return this.sql.rows<AuthorizedApplication>(LIST_SQL, [userId]);
  }

  /** Whether the application has a token of the user with exactly these scopes, expired or not. */
  async hasSameScopes(
    { applicationId, userId }: { applicationId: number; userId: number },
    scopes: readonly string[],
  ): Promise<boolean> {
    const found = await this.sql.row(HAS_SAME_SCOPES_SQL, [applicationId, userId, scopes]);
    return found !== null;
  }

  /**
   * Takes back what the user let the application do: its codes, access tokens and refresh tokens
   * end together. Throws 404 for an application that has none.
   */
  async revoke(applicationId: number, user: { id: number }, actor: AuditActor): Promise<void> {
    const digests = await this.dataSource.transaction(async (tx) => {
      const ended = await this.end(tx, applicationId, user.id);
      if (ended.length === 0) throw new NotFoundError('Application');
      const [application] = await tx.query<{ name: string }[]>(
        'SELECT name FROM oauth_applications WHERE id = $1',
        [applicationId],
      );
      await this.audit.record(tx, actor, {
        action: 'oauth_application_authorization_revoked',
        targetType: 'OAuthApplication',
        targetId: applicationId,
        targetName: application?.name ?? '',
        entity: { type: 'User', id: user.id },
        details: { tokens: ended.length },
      });
      return ended;
    });
    for (const digest of digests) this.cache.drop(digest);
  }

  /** Under the lock no token is made that this would not see. */
  private async end(tx: EntityManager, applicationId: number, userId: number): Promise<Buffer[]> {
    await lockTokenOwner(tx, userId);
    const values = [applicationId, userId, this.clock.now()];
    await tx.query(REVOKE_GRANTS_SQL, values);
    const [rows] = await tx.query<[{ digest: Buffer }[], number]>(REVOKE_TOKENS_SQL, values);
    return rows.map(({ digest }) => digest);
  }
}
