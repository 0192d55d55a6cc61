import { Injectable } from '@nestjs/common';
import { DataSource, Repository, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Sql } from '../core/sql/sql.service.js';
import { repositoryKey, type RepositoryKind } from './repository-path.js';
import type { WriteRequest } from './write-lease.service.js';
import type { RefCommand } from './reference-updates.js';

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

/** A write without heartbeat for this long belongs to a process that is gone. */
const DEAD_AFTER_SECONDS = 60;
const BATCH = 100;

/** A write whose process died. */
export interface AbandonedWrite {
  id: string;
  kind: RepositoryKind;
  containerId: number;
  userId: number | null;
  commands: RefCommand[] | null;
}

/** A write that a move waits for. */
interface RunningWrite {
  kind: RepositoryKind;
  isDead: boolean;
}

/** Owns every statement about writes in progress. */
@Injectable()
export class InflightWritesRepository extends Repository<InflightWrite> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(InflightWrite, dataSource.manager);
  }

  /** Adds a write; `instance` names the process that writes. */
  async add(id: string, { kind, containerId, userId }: WriteRequest, instance: string) {
    await this.queries.rows(
      `INSERT INTO inflight_writes
         (id, repository_key, repository_kind, container_id, user_id, instance)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [id, repositoryKey(kind, containerId), kind, containerId, userId, instance],
    );
  }

  /** Returns false when the write counted as abandoned and is gone. */
  async recordCommands(id: string, commands: RefCommand[]): Promise<boolean> {
    const row = await this.queries.row(
      `UPDATE inflight_writes SET commands = $2, heartbeat_at = now() WHERE id = $1 RETURNING id`,
      [id, JSON.stringify(commands)],
    );
    return row !== null;
  }

  /** Records that these writes still run. */
  async renew(ids: readonly string[]): Promise<void> {
    await this.queries.rows(
      'UPDATE inflight_writes SET heartbeat_at = now() WHERE id = ANY($1::uuid[])',
      [ids],
    );
  }

  async deleteById(id: string): Promise<void> {
    await this.queries.rows('DELETE FROM inflight_writes WHERE id = $1', [id]);
  }

  /** Returns some of the writes whose process died, latest first. */
  listAbandoned(): Promise<AbandonedWrite[]> {
    return this.queries.rows<AbandonedWrite>(
      `SELECT id, repository_kind AS kind, container_id AS "containerId", user_id AS "userId",
              commands
       FROM inflight_writes
       WHERE heartbeat_at < now() - make_interval(secs => $1)
       ORDER BY started_at DESC LIMIT ${BATCH}`,
      [DEAD_AFTER_SECONDS],
    );
  }

  /** Returns whether a later write to the same repository is in progress. */
  async hasSuccessor(id: string, key: string): Promise<boolean> {
    const successor = await this.queries.row(
      `SELECT 1 AS found FROM inflight_writes later
       JOIN inflight_writes own ON own.id = $1 AND later.started_at > own.started_at
       WHERE later.repository_key = $2 LIMIT 1`,
      [id, key],
    );
    return successor !== null;
  }

  /** Deletes a write unless its process, only paused, has renewed it; returns whether it did. */
  async deleteAbandoned(id: string): Promise<boolean> {
    const deleted = await this.queries.rows(
      `DELETE FROM inflight_writes
       WHERE id = $1 AND heartbeat_at < now() - make_interval(secs => $2) RETURNING id`,
      [id, DEAD_AFTER_SECONDS],
    );
    return deleted.length > 0;
  }

  /** Returns the writes to repositories by their keys, oldest first. */
  listRunning(keys: readonly string[]): Promise<RunningWrite[]> {
    return this.queries.rows<RunningWrite>(
      `SELECT repository_kind AS kind, heartbeat_at < now() - interval '60 seconds' AS "isDead"
       FROM inflight_writes WHERE repository_key = ANY ($1) ORDER BY started_at`,
      [keys],
    );
  }
}
