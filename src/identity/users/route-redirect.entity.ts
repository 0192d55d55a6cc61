import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

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
