import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Namespace } from '../../users/namespace.entity.js';
import { User } from '../../users/user.entity.js';

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
