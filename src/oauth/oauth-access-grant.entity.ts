import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { User } from '../identity/users/user.entity.js';
import { OAuthApplication } from './oauth-application.entity.js';

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
