import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One ref command of a push as receive-pack names it; ids are 40 (or 64) hex digits. */
export interface RefCommand {
  oldOid: string;
  newOid: string;
  ref: string;
}

/**
 * A write to a repository that has begun and is not known to be over: a push or an API commit.
 * A mover waits until its repositories have none (see docs/architecture.md, "A move").
 */
@Entity('inflight_writes')
@Index('ix_inflight_writes_repository', ['repositoryKey'])
@Index('ix_inflight_writes_heartbeat', ['heartbeatAt'])
export class InflightWrite {
  @PrimaryColumn({ type: 'uuid', name: 'id', primaryKeyConstraintName: 'pk_inflight_writes' })
  id: string;

  @Column({ type: 'text', name: 'repository_key' })
  repositoryKey: string;

  @Column({ type: 'text', name: 'repository_kind' })
  repositoryKind: string;

  @Column({ type: 'bigint', name: 'container_id' })
  containerId: number;

  @Column({ type: 'bigint', name: 'user_id', nullable: true })
  userId: number | null;

  /** The process that writes, as `host:pid:random`. */
  @Column({ type: 'text', name: 'instance' })
  instance: string;

  /** Updates that the hook was allowed; null before that. */
  @Column({ type: 'jsonb', name: 'commands', nullable: true })
  commands: RefCommand[] | null;

  @Column({ type: 'timestamptz', precision: 3, name: 'started_at', default: () => 'now()' })
  startedAt: Date;

  /** Renewed while the write runs; by database time, so that clocks of hosts do not matter. */
  @Column({ type: 'timestamptz', precision: 3, name: 'heartbeat_at', default: () => 'now()' })
  heartbeatAt: Date;
}
