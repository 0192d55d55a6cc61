import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { User } from '../users/user.entity.js';

export const TOKEN_KINDS = [
  'personal',
  'impersonation',
  'project',
  'group',
  'job',
  'oauth',
] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/**
 * One bearer credential of any kind. The raw value is shown once and never stored: the row is
 * found by the SHA-256 of it.
 */
@Entity('access_tokens')
@Index('uq_access_tokens_digest', ['digest'], { unique: true })
@Index('ix_access_tokens_user', ['userId', 'kind', 'id'])
@Index('ix_access_tokens_family', ['familyId'])
@Index('ix_access_tokens_project', ['projectId', 'kind', 'expiresAt'])
@Index('ix_access_tokens_group', ['groupId', 'id'])
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

  /** Last four characters of the raw value, for people to tell tokens apart. */
  @Column({ type: 'text', name: 'last_four' })
  lastFour: string;

  @ForeignKey(() => User, { name: 'fk_access_tokens_user', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'user_id' })
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
   * First token of the chain of rotations; null = this one is it. A job token belongs to the
   * chain of the token that asked for it.
   */
  @Column({ type: 'bigint', name: 'family_id', nullable: true })
  familyId: number | null;

  /** The token that this one replaced by rotation. */
  @Column({ type: 'bigint', name: 'previous_id', nullable: true })
  previousId: number | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  /** Last change by somebody; being used is none. */
  @Column({ type: 'timestamptz', precision: 3, name: 'updated_at', default: () => 'now()' })
  updatedAt: Date;
}
