import { Column } from 'typeorm';

/** Columns of entities with repositories, which are moved between storages. */
export abstract class RepositoryColumns {
  @Column({ type: 'text', name: 'repository_storage' })
  repositoryStorage: string;

  @Column({ type: 'boolean', name: 'repository_read_only', default: false })
  repositoryReadOnly: boolean;

  /** The move that owns the read-only flag; only that move may clear it. */
  @Column({ type: 'bigint', name: 'read_only_move_id', nullable: true })
  readOnlyMoveId: number | null;
}
