import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** An accepted ref update, recorded exactly once per write and ref; push events are made of these. */
@Entity('ref_updates')
@Index('uq_ref_updates_write_ref', ['writeId', 'ref'], { unique: true })
@Index('ix_ref_updates_container', ['repositoryKind', 'containerId', 'id'])
export class RefUpdate {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    primaryKeyConstraintName: 'pk_ref_updates',
  })
  id: number;

  @Column({ type: 'uuid', name: 'write_id' })
  writeId: string;

  @Column({ type: 'text', name: 'repository_kind' })
  repositoryKind: string;

  @Column({ type: 'bigint', name: 'container_id' })
  containerId: number;

  @Column({ type: 'bigint', name: 'user_id', nullable: true })
  userId: number | null;

  @Column({ type: 'text', name: 'ref' })
  ref: string;

  /** All zeros = the ref was created. */
  @Column({ type: 'text', name: 'old_oid' })
  oldOid: string;

  /** All zeros = the ref was removed. */
  @Column({ type: 'text', name: 'new_oid' })
  newOid: string;

  @Column({ type: 'timestamptz', precision: 3, name: 'created_at', default: () => 'now()' })
  createdAt: Date;
}
