import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumns } from '../../core/sql/timestamp-columns.js';

export type UserState = 'active' | 'blocked' | 'deactivated' | 'banned' | 'pending';

export type UserType = 'human' | 'project_bot' | 'internal';

/** A person or a bot. Usernames and email addresses are unique whatever their case. */
@Entity('users')
@Index('ix_users_search', { synchronize: false })
@Index('ix_users_name_prefix', { synchronize: false })
@Index('ix_users_username_prefix', { synchronize: false })
@Index('ix_users_public_email', { synchronize: false })
@Index('ix_users_admins', ['id'], { where: '"admin"' })
@Index('ix_users_bots', ['id'], { where: `"user_type" <> 'human'` })
@Index('ix_users_external', ['id'], { where: '"external"' })
@Index('ix_users_inactive', ['state', 'id'], { where: `"state" <> 'active'` })
@Index('ix_users_username', ['username', 'id'])
@Index('ix_users_name', ['name', 'id'])
@Index('ix_users_created_at', ['createdAt', 'id'])
@Index('ix_users_updated_at', ['updatedAt', 'id'])
@Index('uq_users_username', { synchronize: false })
@Index('uq_users_email', { synchronize: false })
@Check('ck_users_state', `"state" IN ('active', 'blocked', 'deactivated', 'banned', 'pending')`)
@Check('ck_users_user_type', `"user_type" IN ('human', 'project_bot', 'internal')`)
@Check('ck_users_admin', `"user_type" = 'human' OR NOT "admin"`)
export class User extends TimestampColumns {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'pk_users' })
  id: number;

  @Column({ type: 'text', name: 'username' })
  username: string;

  @Column({ type: 'text', name: 'name' })
  name: string;

  @Column({ type: 'text', name: 'email' })
  email: string;

  @Column({ type: 'text', name: 'public_email', default: '' })
  publicEmail: string;

  @Column({ type: 'text', name: 'state', default: 'active' })
  state: UserState;

  @Column({ type: 'text', name: 'user_type', default: 'human' })
  userType: UserType;

  @Column({ type: 'boolean', name: 'admin', default: false })
  admin: boolean;

  @Column({ type: 'boolean', name: 'external', default: false })
  external: boolean;

  @Column({ type: 'boolean', name: 'private_profile', default: false })
  privateProfile: boolean;

  @Column({ type: 'boolean', name: 'can_create_group', default: true })
  canCreateGroup: boolean;

  @Column({ type: 'integer', name: 'projects_limit', default: 100_000 })
  projectsLimit: number;

  /** Digest of the images in `avatars`; null without one. */
  @Column({ type: 'text', name: 'avatar', nullable: true })
  avatar: string | null;

  /** argon2id in PHC form; null for bots and for people who never set one. */
  @Column({ type: 'text', name: 'password_digest', nullable: true })
  passwordDigest: string | null;

  @Column({ type: 'text', name: 'bio', default: '' })
  bio: string;

  @Column({ type: 'text', name: 'location', default: '' })
  location: string;

  @Column({ type: 'text', name: 'website_url', default: '' })
  websiteUrl: string;

  @Column({ type: 'text', name: 'organization', default: '' })
  organization: string;

  @Column({ type: 'text', name: 'job_title', default: '' })
  jobTitle: string;

  @Column({ type: 'text', name: 'pronouns', default: '' })
  pronouns: string;

  /** Note of the administrators about the user; shown to administrators only. */
  @Column({ type: 'text', name: 'note', nullable: true })
  note: string | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'confirmed_at', nullable: true })
  confirmedAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'current_sign_in_at', nullable: true })
  currentSignInAt: Date | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'last_sign_in_at', nullable: true })
  lastSignInAt: Date | null;

  @Column({ type: 'inet', name: 'current_sign_in_ip', nullable: true })
  currentSignInIp: string | null;

  @Column({ type: 'inet', name: 'last_sign_in_ip', nullable: true })
  lastSignInIp: string | null;

  @Column({ type: 'integer', name: 'sign_in_count', default: 0 })
  signInCount: number;

  /** Wrong passwords in a row since the last right one. */
  @Column({ type: 'integer', name: 'failed_attempts', default: 0 })
  failedAttempts: number;

  /** When the account was locked for too many wrong passwords; it unlocks automatically later. */
  @Column({ type: 'timestamptz', precision: 3, name: 'locked_at', nullable: true })
  lockedAt: Date | null;

  @Column({ type: 'date', name: 'last_activity_on', nullable: true })
  lastActivityOn: string | null;
}

/**
 * A further email address of a user; the primary one is in the user's row. Several people can claim
 * an address, only one can confirm it: a trigger keeps confirmed and primary ones unique.
 */
@Entity('user_emails')
@Index('ix_user_emails_user', ['userId', 'id'])
@Index('uq_user_emails_user_email', { synchronize: false })
@Check('ck_user_emails_email', `"email" <> ''`)
export class UserEmail extends TimestampColumns {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_user_emails',
  })
  id: number;

  @ForeignKey(() => User, { name: 'fk_user_emails_user', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'user_id' })
  userId: number;

  @Column({ type: 'text', name: 'email' })
  email: string;

  @Column({ type: 'timestamptz', precision: 3, name: 'confirmed_at', nullable: true })
  confirmedAt: Date | null;
}
