import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
} from 'typeorm';
import { User } from '../users/user.entity.js';

export type TokenKind = 'personal' | 'impersonation' | 'project' | 'group' | 'job' | 'oauth';

/**
 * One bearer credential of any kind. The raw value is shown once and never stored: the row is
 * found by the SHA-256 of it.
 */
@Entity('access_tokens')
@Index('uq_access_tokens_digest', ['digest'], { unique: true })
@Index('ix_access_tokens_user', ['userId', 'kind', 'id'])
@Index('ix_access_tokens_family', ['familyId'])
@Index('ix_access_tokens_project', ['projectId', 'kind', 'expiresAt'], {
  where: '"project_id" IS NOT NULL',
})
@Index('ix_access_tokens_group', ['groupId', 'id'], { where: '"group_id" IS NOT NULL' })
@Index('uq_access_tokens_refresh_digest', ['refreshDigest'], {
  unique: true,
  where: '"refresh_digest" IS NOT NULL',
})
@Index('ix_access_tokens_application', ['applicationId', 'userId', 'id'])
@Index('ix_access_tokens_grant', ['grantId'], { where: '"grant_id" IS NOT NULL' })
@Check('ck_access_tokens_user', `"user_id" IS NOT NULL OR "kind" = 'oauth'`)
@Check(
  'ck_access_tokens_oauth',
  `"kind" = 'oauth' OR num_nonnulls("application_id", "grant_id", "refresh_digest", "refresh_expires_at", "chain_ends_at") = 0`,
)
@Check(
  'ck_access_tokens_kind',
  `"kind" IN ('personal', 'impersonation', 'project', 'group', 'job', 'oauth')`,
)
@Check(
  'ck_access_tokens_resource',
  `num_nonnulls("project_id", "group_id") = CASE WHEN "kind" IN ('project', 'group', 'job') THEN 1 ELSE 0 END AND ("kind" = 'group') = ("group_id" IS NOT NULL)`,
)
export class AccessToken {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_access_tokens',
  })
  id: number;

  @Column({ type: 'text', name: 'kind' })
  kind: TokenKind;

  @Column({ type: 'bytea', name: 'digest' })
  digest: Buffer;

  /** Last four characters of the raw value, which help users to identify tokens. */
  @Column({ type: 'text', name: 'last_four' })
  lastFour: string;

  /** User of the token; null only for OAuth client credentials. */
  @ForeignKey(() => User, { name: 'fk_access_tokens_user', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'user_id', nullable: true })
  userId: number;

  @Column({ type: 'text', name: 'name' })
  name: string;

  @Column({ type: 'text', name: 'description', default: '' })
  description: string;

  @Column({ type: 'text', array: true, name: 'scopes' })
  scopes: string[];

  /** The token is dead from this moment on; null = never. Dates mean 00:00 UTC of that day. */
  @Column({ type: 'timestamptz', precision: 3, name: 'expires_at', nullable: true })
  expiresAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'revoked_at', nullable: true })
  revokedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'last_used_at', nullable: true })
  lastUsedAt: Date | null;

  /** The project of a project or job token. */
  @ForeignKey('Project', { name: 'fk_access_tokens_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id', nullable: true })
  projectId: number | null;

  /** The group of a group token. */
  @ForeignKey('Group', { name: 'fk_access_tokens_group', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'group_id', nullable: true })
  groupId: number | null;

  /**
   * First token of the chain of rotations; null = this one is it. A job token belongs to the chain
   * of the token that created it.
   */
  @Column({ type: 'bigint', name: 'family_id', nullable: true })
  familyId: number | null;

  /** The token that this one replaced by rotation. */
  @Column({ type: 'bigint', name: 'previous_id', nullable: true })
  previousId: number | null;

  /** The application of an OAuth token; null when it was issued without one. */
  @ForeignKey('OAuthApplication', {
    name: 'fk_access_tokens_application',
    onDelete: 'CASCADE',
  })
  @Column({ type: 'bigint', name: 'application_id', nullable: true })
  applicationId: number | null;

  /** The authorization code from which an OAuth token and its successors come. */
  @ForeignKey('OAuthAccessGrant', { name: 'fk_access_tokens_grant', onDelete: 'SET NULL' })
  @Column({ type: 'bigint', name: 'grant_id', nullable: true })
  grantId: number | null;

  /** SHA-256 of the refresh token of an OAuth token. */
  @Column({ type: 'bytea', name: 'refresh_digest', nullable: true })
  refreshDigest: Buffer | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'refresh_expires_at', nullable: true })
  refreshExpiresAt: Date | null;

  /** When refreshing ends for an OAuth token and all its successors, however often it is used. */
  @Column({ type: 'timestamptz', precision: 3, name: 'chain_ends_at', nullable: true })
  chainEndsAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  /** Last change by someone; being used is none. */
  @Column({ type: 'timestamptz', precision: 3, name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}

/** An address that used a token; the five newest of each are kept. */
@Entity('access_token_ips')
export class AccessTokenIp {
  @ForeignKey(() => AccessToken, { name: 'fk_access_token_ips_token', onDelete: 'CASCADE' })
  @PrimaryColumn({
    type: 'bigint',
    name: 'token_id',
    primaryKeyConstraintName: 'pk_access_token_ips',
  })
  tokenId: number;

  @PrimaryColumn({ type: 'inet', name: 'ip', primaryKeyConstraintName: 'pk_access_token_ips' })
  ip: string;

  @Column({ type: 'timestamptz', precision: 3, name: 'seen_at' })
  seenAt: Date;
}

/** Kinds that users see in lists and can revoke; job and OAuth tokens are managed elsewhere. */
export const MANAGED_KINDS = ['personal', 'impersonation', 'project', 'group'] as const;

/** Kinds that users manage for themselves; impersonation tokens belong to administrators. */
export const OWN_KINDS = MANAGED_KINDS.filter((kind) => kind !== 'impersonation');

/** Returns true if tokens of this kind can be listed, revoked and rotated. */
export function isManaged(kind: string): kind is (typeof MANAGED_KINDS)[number] {
  return (MANAGED_KINDS as readonly string[]).includes(kind);
}

/** Returns the project, group or user whose audit log a token belongs to. */
export function trailOf(token: {
  kind: TokenKind;
  userId: number;
  projectId: number | null;
  groupId: number | null;
}): { type: 'User' | 'Group' | 'Project'; id: number } {
  if (token.projectId !== null) return { type: 'Project', id: token.projectId };
  if (token.groupId !== null) return { type: 'Group', id: token.groupId };
  return { type: 'User', id: token.userId };
}

/** Returns the id of the first token of the rotation chain that the token belongs to. */
export function familyOf(token: { id: number; familyId: number | null }): number {
  return token.familyId ?? token.id;
}
