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
@Index('ix_access_tokens_user', ['userId', 'id'])
@Check(
  'ck_access_tokens_kind',
  `"kind" IN ('personal', 'impersonation', 'project', 'group', 'job', 'oauth')`,
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

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
