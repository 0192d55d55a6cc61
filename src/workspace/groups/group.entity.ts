import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { RepositoryColumns } from '../../git/repository-columns.js';
import { Namespace } from '../../identity/users/namespace.entity.js';

/**
 * Attributes of a group beyond its namespace row, whose ID it shares. Its only repository is the
 * wiki.
 */
@Entity('groups')
@Index('ix_groups_repository_storage', ['repositoryStorage', 'id'])
@Index('ix_groups_read_only', ['id'], { where: '"repository_read_only"' })
export class Group extends RepositoryColumns {
  @ForeignKey(() => Namespace, { name: 'fk_groups_namespace', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'bigint', name: 'id', primaryKeyConstraintName: 'pk_groups' })
  id: number;

  @Column({ type: 'text', name: 'description', default: '' })
  description: string;

  /** 0 private, 10 internal, 20 public. */
  @Column({ type: 'smallint', name: 'visibility', default: 0 })
  visibility: number;

  @Column({ type: 'boolean', name: 'request_access_enabled', default: true })
  requestAccessEnabled: boolean;

  /** Enables notification emails. */
  @Column({ type: 'boolean', name: 'emails_enabled', default: true })
  emailsEnabled: boolean;

  /** Digest of the images in `avatars`; null without one. */
  @Column({ type: 'text', name: 'avatar', nullable: true })
  avatar: string | null;

  /** Set when a deletion was accepted; the group is invisible from then on. */
  @Column({ type: 'boolean', name: 'pending_delete', default: false })
  pendingDelete: boolean;
}
