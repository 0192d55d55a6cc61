import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A worker process that runs, or ran until a moment ago. */
@Entity('worker_heartbeats')
export class WorkerHeartbeat {
  /** Host, process ID and a random part. */
  @PrimaryColumn({ type: 'text', name: 'name', primaryKeyConstraintName: 'pk_worker_heartbeats' })
  name: string;

  @Column({ type: 'timestamptz', precision: 3, name: 'started_at', default: () => 'now()' })
  startedAt: Date;

  @Column({ type: 'timestamptz', precision: 3, name: 'seen_at', default: () => 'now()' })
  seenAt: Date;
}
