import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { Project } from '../projects/project.entity.js';
import { StorageMoveColumns } from './storage-move.columns.js';

/** Move of a project's repositories. At most one per project is under way: the partial unique index. */
@Entity('project_repository_storage_moves')
@Index('uq_project_storage_moves_active', ['containerId'], {
  unique: true,
  where: `"state" IN ('initial', 'scheduled', 'started', 'replicated')`,
})
@Index('ix_project_storage_moves_container', ['containerId', 'createdAt', 'id'])
@Index('ix_project_storage_moves_state', ['state', 'id'])
@Index('ix_project_storage_moves_created_at', ['createdAt', 'id'])
@Check(
  'ck_project_storage_moves_state',
  `"state" IN ('initial', 'scheduled', 'started', 'replicated', 'finished', 'failed', 'cleanup failed')`,
)
export class ProjectRepositoryStorageMove extends StorageMoveColumns {
  @ForeignKey(() => Project, { name: 'fk_project_storage_moves_project', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'project_id' })
  containerId: number;
}
