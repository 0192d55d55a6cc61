import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { NotFoundError } from '../core/errors.js';
import { Sql } from '../core/sql/sql.service.js';
import { OAuthAccessGrant } from './oauth-access-grant.entity.js';
import { DELETE_CHUNK, DELETE_ENDED_CODES_SQL } from './sql/oauth-tokens.js';

/** Revoking the authorization waits for the new code, and revokes it with the rest. */
const LOCK_PARTIES_SQL = `
  SELECT 1 FROM users u, oauth_applications a WHERE u.id = $1 AND a.id = $2
  FOR SHARE OF u FOR KEY SHARE OF a`;

const REVOKE_GRANTS_SQL = `
  UPDATE oauth_access_grants SET revoked_at = $3
  WHERE application_id = $1 AND user_id = $2 AND revoked_at IS NULL`;

/** The user and the application of an authorization. */
export interface AuthorizationParties {
  applicationId: number;
  userId: number;
}

/** Owns every statement about authorization codes. */
@Injectable()
export class OAuthAccessGrantsRepository extends Repository<OAuthAccessGrant> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(OAuthAccessGrant, dataSource.manager);
  }

  /** Locks user and application until the transaction ends; throws NotFoundError. */
  async lockParties(
    manager: EntityManager,
    { userId, applicationId }: AuthorizationParties,
  ): Promise<void> {
    const rows = await manager.query<object[]>(LOCK_PARTIES_SQL, [userId, applicationId]);
    if (rows.length === 0) throw new NotFoundError('Application');
  }

  /** Revokes the codes of a user for an application. */
  async revokeOfApplication(
    manager: EntityManager,
    { applicationId, userId }: AuthorizationParties,
    now: Date,
  ): Promise<void> {
    await manager.query(REVOKE_GRANTS_SQL, [applicationId, userId, now]);
  }

  /** Deletes some codes that ended before the moment; returns true when there can be more. */
  async deleteEnded(before: Date): Promise<boolean> {
    return (await this.queries.rows(DELETE_ENDED_CODES_SQL, [before])).length === DELETE_CHUNK;
  }
}
