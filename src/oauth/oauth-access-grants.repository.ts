import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  Column,
  DataSource,
  Entity,
  ForeignKey,
  Index,
  PrimaryGeneratedColumn,
  Repository,
  type EntityManager,
} from 'typeorm';
import { Clock } from '../core/clock.js';
import { NotFoundError } from '../core/errors.js';
import { credentialDigest } from '../core/secrets.js';
import { Sql } from '../core/sql/sql.service.js';
import { User } from '../identity/users/user.entity.js';
import type { AuthorizationRequest } from './authorize/authorization-request.js';
import { OAuthApplication } from './oauth-applications.repository.js';
import { DELETE_CHUNK, DELETE_ENDED_CODES_SQL } from './sql/oauth-tokens.js';

/** An authorization code (RFC 6749 §4.1.2); tokens remember the grant that they come from. */
@Entity('oauth_access_grants')
@Index('uq_oauth_access_grants_code_digest', ['codeDigest'], { unique: true })
@Index('ix_oauth_access_grants_application', ['applicationId', 'userId'])
@Index('ix_oauth_access_grants_user', ['userId'])
@Index('ix_oauth_access_grants_expires_at', ['expiresAt'])
export class OAuthAccessGrant {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_oauth_access_grants',
  })
  id: number;

  @Column({ type: 'bytea', name: 'code_digest' })
  codeDigest: Buffer;

  @ForeignKey(() => OAuthApplication, {
    name: 'fk_oauth_access_grants_application',
    onDelete: 'CASCADE',
  })
  @Column({ type: 'bigint', name: 'application_id' })
  applicationId: number;

  @ForeignKey(() => User, { name: 'fk_oauth_access_grants_user', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'user_id' })
  userId: number;

  @Column({ type: 'text', name: 'redirect_uri' })
  redirectUri: string;

  @Column({ type: 'text', array: true, name: 'scopes' })
  scopes: string[];

  /** Of method S256 (RFC 7636 §4.2); null = without PKCE. */
  @Column({ type: 'text', name: 'code_challenge', nullable: true })
  codeChallenge: string | null;

  @Column({ type: 'text', name: 'nonce', nullable: true })
  nonce: string | null;

  /** When the user had signed in. */
  @Column({ type: 'timestamptz', precision: 3, name: 'auth_time' })
  authTime: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'expires_at' })
  expiresAt: Date;

  /** When the code was used, or burnt by a failed try; it works once. */
  @Column({ type: 'timestamptz', precision: 3, name: 'used_at', nullable: true })
  usedAt: Date | null;

  /** When the user took back what was granted. */
  @Column({ type: 'timestamptz', precision: 3, name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}

const CODE_BYTES = 32;
const CODE_LIFETIME_MS = 600_000;

/** Revoking the authorization waits for the new code, and revokes it with the rest. */
const LOCK_PARTIES_SQL = `
  SELECT 1 FROM users u, oauth_applications a WHERE u.id = $1 AND a.id = $2
  FOR SHARE OF u FOR KEY SHARE OF a`;

const REVOKE_GRANTS_SQL = `
  UPDATE oauth_access_grants SET revoked_at = $3
  WHERE application_id = $1 AND user_id = $2 AND revoked_at IS NULL`;

/** The user and the application of an authorization. */
interface AuthorizationParties {
  applicationId: number;
  userId: number;
}

/** Approved authorization request. */
export interface Approval {
  request: AuthorizationRequest;
  userId: number;
  /** When the person had signed in. */
  authTime: Date;
}

/** Owns every statement about authorization codes. */
@Injectable()
export class OAuthAccessGrantsRepository extends Repository<OAuthAccessGrant> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
    private readonly clock: Clock,
  ) {
    super(OAuthAccessGrant, dataSource.manager);
  }

  /**
   * Inserts a code of 256 random bits, which works once, for ten minutes, and returns it: only its
   * digest is stored. Throws NotFoundError for an application that was deleted a moment ago.
   */
  async issue(manager: EntityManager, { request, userId, authTime }: Approval): Promise<string> {
    const code = randomBytes(CODE_BYTES).toString('hex');
    const now = this.clock.now();
    await lockParties(manager, { userId, applicationId: request.applicationId });
    await manager.insert(OAuthAccessGrant, {
      codeDigest: credentialDigest(code),
      applicationId: request.applicationId,
      userId,
      redirectUri: request.redirectUri,
      scopes: request.scopes,
      codeChallenge: request.codeChallenge,
      nonce: request.nonce,
      authTime,
      expiresAt: new Date(now.getTime() + CODE_LIFETIME_MS),
      createdAt: now,
    });
    return code;
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

/** Locks user and application until the transaction ends; throws NotFoundError. */
async function lockParties(
  manager: EntityManager,
  { userId, applicationId }: AuthorizationParties,
): Promise<void> {
  const rows = await manager.query<object[]>(LOCK_PARTIES_SQL, [userId, applicationId]);
  if (rows.length === 0) throw new NotFoundError('Application');
}
