import { Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';
import { Project } from '../workspace/projects/project.entity.js';

/**
 * Client key with which programs report errors to a project. It is public: web pages contain it.
 */
@Entity('error_client_keys')
@Index('uq_error_client_keys_public_key', ['publicKey'], { unique: true })
@Index('ix_error_client_keys_project', ['projectId', 'id'])
export class ClientKey {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_error_client_keys',
  })
  id: number;

  @ForeignKey(() => Project, { name: 'fk_error_client_keys_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id' })
  projectId: number;

  /** `glet_` and 32 lowercase hex: SDKs refuse an address whose key has a dash. */
  @Column({ type: 'text', name: 'public_key' })
  publicKey: string;

  @Column({ type: 'boolean', name: 'active', default: true })
  active: boolean;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
