import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { Snippet } from '../snippets/snippet.entity.js';
import { StorageMoveColumns } from './storage-move.columns.js';

/** Move of a snippet's repositories. At most one per snippet is under way: the partial unique index. */
@Entity('snippet_repository_storage_moves')
@Index('uq_snippet_storage_moves_active', ['containerId'], {
  unique: true,
  where: `"state" IN ('initial', 'scheduled', 'started', 'replicated')`,
})
@Index('ix_snippet_storage_moves_container', ['containerId', 'createdAt', 'id'])
@Index('ix_snippet_storage_moves_state', ['state', 'id'])
@Index('ix_snippet_storage_moves_created_at', ['createdAt', 'id'])
@Check(
  'ck_snippet_storage_moves_state',
  `"state" IN ('initial', 'scheduled', 'started', 'replicated', 'finished', 'failed', 'cleanup failed')`,
)
export class SnippetRepositoryStorageMove extends StorageMoveColumns {
  @ForeignKey(() => Snippet, { name: 'fk_snippet_storage_moves_snippet', onDelete: 'CASCADE' })
  @Column({ type: 'bigint', name: 'snippet_id' })
  containerId: number;
}
