import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { TimestampColumns } from '../../core/sql/timestamp-columns.js';
import { User } from './user.entity.js';

export type NamespaceKind = 'user' | 'group';

/**
 * Owner of a path: each user has one, each group is one. Users and groups share one id space and
 * one path space, so a project's namespace id names either.
 */
@Entity('namespaces')
@Index('ix_namespaces_search', { synchronize: false })
@Index('ix_namespaces_group_search', { synchronize: false })
@Index('ix_groups_name_prefix', { synchronize: false })
@Index('ix_groups_path_prefix', { synchronize: false })
@Index('ix_groups_created_at', ['createdAt', 'id'], { where: `"kind" = 'group'` })
@Index('uq_namespaces_full_path', { synchronize: false })
@Index('ix_namespaces_traversal_ids', { synchronize: false })
@Index('ix_namespaces_parent', ['parentId'])
@Index('ix_namespaces_kind_name', ['kind', 'name', 'id'])
@Index('uq_namespaces_owner', ['ownerId'], { unique: true })
@Check('ck_namespaces_kind', `("kind" = 'user') = ("owner_id" IS NOT NULL)`)
export class Namespace extends TimestampColumns {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', primaryKeyConstraintName: 'pk_namespaces' })
  id: number;

  @Column({ type: 'text', name: 'kind' })
  kind: NamespaceKind;

  @ForeignKey(() => User, { name: 'fk_namespaces_owner', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'owner_id', nullable: true })
  ownerId: number | null;

  @ForeignKey(() => Namespace, { name: 'fk_namespaces_parent', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'parent_id', nullable: true })
  parentId: number | null;

  @Column({ type: 'text', name: 'name' })
  name: string;

  @Column({ type: 'text', name: 'path' })
  path: string;

  /** Paths from the root joined by slashes; every rename keeps it equal to the parents'. */
  @Column({ type: 'text', name: 'full_path' })
  fullPath: string;

  /** Names from the root joined by ` / `. */
  @Column({ type: 'text', name: 'full_name' })
  fullName: string;

  /** Ids from the root down to this one, so that ancestors need no recursion. */
  @Column({ type: 'bigint', array: true, name: 'traversal_ids', default: '{}' })
  traversalIds: number[];
}

/** An old full path of a group or project; unique whatever its case, given up to a new owner. */
@Entity('route_redirects')
@Index('uq_route_redirects_path', { synchronize: false })
@Index('ix_route_redirects_namespace', ['namespaceId'])
@Index('ix_route_redirects_project', ['projectId'])
@Check('ck_route_redirects_target', `num_nonnulls("namespace_id", "project_id") = 1`)
export class RouteRedirect {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_route_redirects',
  })
  id: number;

  @Column({ type: 'text', name: 'path' })
  path: string;

  @ForeignKey('Namespace', { name: 'fk_route_redirects_namespace', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'namespace_id', nullable: true })
  namespaceId: number | null;

  @ForeignKey('Project', { name: 'fk_route_redirects_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id', nullable: true })
  projectId: number | null;
}
