import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { User } from '../../users/user.entity.js';

/**
 * A sign-in by a browser. The cookie's value is known to the browser only: the row is found by
 * the SHA-256 of it, and ending a session deletes it.
 */
@Entity('sessions')
@Index('uq_sessions_digest', ['digest'], { unique: true })
@Index('ix_sessions_user', ['userId', 'id'])
@Index('ix_sessions_expires_at', ['expiresAt'])
export class Session {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'pk_sessions' })
  id: number;

  @Column({ type: 'bytea', name: 'digest' })
  digest: Buffer;

  @ForeignKey(() => User, { name: 'fk_sessions_user', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'user_id' })
  userId: number;

  /** When the password was given. */
  @Column({ type: 'timestamptz', precision: 3, name: 'signed_in_at' })
  signedInAt: Date;

  /** Last request, at most a minute old while the session is in use. */
  @Column({ type: 'timestamptz', precision: 3, name: 'last_seen_at' })
  lastSeenAt: Date;

  /** The session ends at the latest now, however busy it is. */
  @Column({ type: 'timestamptz', precision: 3, name: 'expires_at' })
  expiresAt: Date;

  /** Keeps the cookie after the browser is closed. */
  @Column({ type: 'boolean', name: 'remembered', default: false })
  remembered: boolean;

  @Column({ type: 'inet', name: 'ip', nullable: true })
  ip: string | null;

  @Column({ type: 'text', name: 'user_agent', default: '' })
  userAgent: string;
}
