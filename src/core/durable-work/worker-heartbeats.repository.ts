import { Injectable } from '@nestjs/common';
import { Column, DataSource, Entity, PrimaryColumn, Repository } from 'typeorm';
import { Sql } from '../sql/sql.service.js';

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

/** A worker without a heartbeat for this long does not run. */
const ALIVE_SECONDS = 60;
const KEPT_DAYS = 7;

const BEAT_SQL = `
  INSERT INTO worker_heartbeats (name) VALUES ($1)
  ON CONFLICT (name) DO UPDATE SET seen_at = now()`;

const PURGE_SQL = `
  DELETE FROM worker_heartbeats WHERE seen_at < now() - interval '${KEPT_DAYS} days'`;

const STATE_SQL = `
  SELECT count(*) FILTER (WHERE seen_at > now() - interval '${ALIVE_SECONDS} seconds')::int AS running,
    extract(epoch FROM max(seen_at))::float8 AS "lastSeen"
  FROM worker_heartbeats`;

/** The workers of the instance. */
interface WorkersState {
  running: number;
  /** Unix time of the newest heartbeat; null if there was none for a week. */
  lastSeen: number | null;
}

/** Owns the statements about heartbeats of workers. */
@Injectable()
export class WorkerHeartbeatsRepository extends Repository<WorkerHeartbeat> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(WorkerHeartbeat, dataSource.manager);
  }

  /** Records that the worker runs, by the clock of the database. */
  async beat(name: string): Promise<void> {
    await this.queries.rows(BEAT_SQL, [name]);
    await this.queries.rows(PURGE_SQL);
  }

  async readState(): Promise<WorkersState> {
    return (await this.queries.row<WorkersState>(STATE_SQL)) ?? { running: 0, lastSeen: null };
  }
}
