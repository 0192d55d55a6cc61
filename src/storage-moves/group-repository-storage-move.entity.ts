import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { Group } from '../groups/group.entity.js';
import { StorageMoveColumns } from './storage-move.columns.js';

/** Move of a group's repositories. At most one per group is under way: the partial unique index. */
@Entity('group_repository_storage_moves')
@Index('uq_group_storage_moves_active', ['containerId'], {
  unique: true,
  where: `"state" IN ('initial', 'scheduled', 'started', 'replicated')`,
})
@Index('ix_group_storage_moves_container', ['containerId', 'createdAt', 'id'])
@Index('ix_group_storage_moves_state', ['state', 'id'])
@Index('ix_group_storage_moves_created_at', ['createdAt', 'id'])
@Check(
  'ck_group_storage_moves_state',
  `"state" IN ('initial', 'scheduled', 'started', 'replicated', 'finished', 'failed', 'cleanup failed')`,
)
export class GroupRepositoryStorageMove extends StorageMoveColumns {
  @ForeignKey(() => Group, { name: 'fk_group_storage_moves_group', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'group_id' })
  containerId: number;
}
