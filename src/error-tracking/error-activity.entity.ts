import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { User } from '../identity/users/user.entity.js';
import { ErrorGroup } from './error-group.entity.js';

/** Changes of an error; rows store the position in this list. */
export const ERROR_ACTIONS = [
  'reopened',
  'resolved',
  'ignored',
  'regressed',
  'ignore_ended',
  'assigned',
  'unassigned',
  'merged',
  'unmerged',
] as const;
export type ErrorAction = (typeof ERROR_ACTIONS)[number];

/** A change of an error by a user, or by an event. */
@Entity('error_activities')
@Index('ix_error_activities_error', ['errorId', 'id'])
@Index('ix_error_activities_actor', ['actorId'], { where: '"actor_id" IS NOT NULL' })
export class ErrorActivity {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_error_activities',
  })
  id: number;

  @ForeignKey(() => ErrorGroup, { name: 'fk_error_activities_error', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'error_id' })
  errorId: number;

  /** Null for events, and for deleted accounts. */
  @ForeignKey(() => User, { name: 'fk_error_activities_actor', onDelete: 'SET NULL' })
  @Column({ type: 'bigint', name: 'actor_id', nullable: true })
  actorId: number | null;

  /** Position in ERROR_ACTIONS. */
  @Column({ type: 'smallint', name: 'action' })
  action: number;

  /** Release, end, username or other error, depending on the action. */
  @Column({ type: 'text', name: 'detail', nullable: true })
  detail: string | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
