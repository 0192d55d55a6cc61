import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/**
 * A repository that was taken out of the live path. Its files stay in the storage's trash until
 * `delete_after`, because a clone can still read them; the janitor deletes them then.
 */
@Entity('repository_trash')
@Index('uq_repository_trash_path', ['storage', 'path'], { unique: true })
@Index('ix_repository_trash_delete_after', ['deleteAfter'])
export class RepositoryTrash {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_repository_trash',
  })
  id: number;

  @Column({ type: 'text', name: 'storage' })
  storage: string;

  /** Below the storage's root. */
  @Column({ type: 'text', name: 'path' })
  path: string;

  /** Why it is here: `project-12 moved`, `project-7 deleted`, `unexpected destination`. */
  @Column({ type: 'text', name: 'reason' })
  reason: string;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'delete_after' })
  deleteAfter: Date;
}
