import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { TrackedError } from './tracked-error.entity.js';

/** User affected by an error, stored as a digest only. */
@Entity('error_users')
export class ErrorUser {
  @ForeignKey(() => TrackedError, { name: 'fk_error_users_error', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'bigint', name: 'error_id', primaryKeyConstraintName: 'pk_error_users' })
  errorId: number;

  /** 16 bytes. */
  @PrimaryColumn({ type: 'bytea', name: 'user_hash', primaryKeyConstraintName: 'pk_error_users' })
  userHash: Buffer;
}
