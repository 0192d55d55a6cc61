import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumns } from '../../core/sql/timestamp-columns.js';
import { Namespace } from '../users/namespace.entity.js';
import { User } from '../users/user.entity.js';

/** A user's direct membership in one group or one project. */
@Entity('members')
@Index('uq_members_namespace_user', ['namespaceId', 'userId'], { unique: true })
@Index('uq_members_project_user', ['projectId', 'userId'], { unique: true })
@Index('ix_members_created_by', ['createdById'])
@Index('ix_members_user', ['userId'])
@Index('ix_members_user_of_project', ['userId'], { where: '"project_id" IS NOT NULL' })
@Check('ck_members_source', `num_nonnulls("namespace_id", "project_id") = 1`)
@Check('ck_members_access_level', `"access_level" IN (5, 10, 15, 20, 30, 40, 50)`)
export class Member extends TimestampColumns {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'pk_members' })
  id: number;

  @ForeignKey(() => Namespace, { name: 'fk_members_namespace', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'namespace_id', nullable: true })
  namespaceId: number | null;

  @ForeignKey('Project', { name: 'fk_members_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id', nullable: true })
  projectId: number | null;

  @ForeignKey(() => User, { name: 'fk_members_user', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'user_id' })
  userId: number;

  @Column({ type: 'smallint', name: 'access_level' })
  accessLevel: number;

  /** The membership counts as none from this day on (UTC). */
  @Column({ type: 'date', name: 'expires_at', nullable: true })
  expiresAt: string | null;

  @ForeignKey(() => User, { name: 'fk_members_created_by', onDelete: 'SET NULL' })
  @Column({ type: 'bigint', name: 'created_by_id', nullable: true })
  createdById: number | null;
}

/** A user's pending request to become a member of one group or one project. */
@Entity('access_requests')
@Index('uq_access_requests_namespace_user', ['namespaceId', 'userId'], { unique: true })
@Index('uq_access_requests_project_user', ['projectId', 'userId'], { unique: true })
@Index('ix_access_requests_user', ['userId'])
@Check('ck_access_requests_source', `num_nonnulls("namespace_id", "project_id") = 1`)
export class AccessRequest {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_access_requests',
  })
  id: number;

  @ForeignKey(() => Namespace, { name: 'fk_access_requests_namespace', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'namespace_id', nullable: true })
  namespaceId: number | null;

  @ForeignKey('Project', { name: 'fk_access_requests_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id', nullable: true })
  projectId: number | null;

  @ForeignKey(() => User, { name: 'fk_access_requests_user', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'user_id' })
  userId: number;

  @Column({ type: 'timestamptz', precision: 3, name: 'requested_at', default: () => 'now()' })
  requestedAt: Date;
}
