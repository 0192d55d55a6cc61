import { Injectable, Logger } from '@nestjs/common';
import { Sql } from '../core/sql/sql.service.js';
import { readContainerState } from './container-state.js';
import type { RefCommand } from './inflight-write.entity.js';
import { pushLockIsFree } from './push-lock.js';
import { PushRecorder } from './push-recorder.service.js';
import { containerKindOf, repositoryKey, type RepositoryKind } from './repository-path.js';
import { RepositoryTrashService } from './repository-trash.service.js';
import { StorageRegistry } from './storage-registry.js';

/** A write without heartbeat for this long belongs to a process that is gone. */
const DEAD_AFTER_SECONDS = 60;
const BATCH = 100;
const LOCK_WAIT_MS = 1_000;

interface DeadWrite {
  id: string;
  kind: RepositoryKind;
  containerId: number;
  userId: number | null;
  commands: RefCommand[] | null;
}

/**
 * Closes writes whose process died. A row goes only after its receive-pack is proved dead; what
 * the push had done by then is put on record, exactly once.
 */
@Injectable()
export class DeadWrites {
  private readonly logger = new Logger(DeadWrites.name);

  constructor(
    private readonly sql: Sql,
    private readonly storages: StorageRegistry,
    private readonly recorder: PushRecorder,
    private readonly trash: RepositoryTrashService,
  ) {}

  /** Closes what can be closed; answers how many writes that were. Called by the sweeper. */
  async recover(): Promise<number> {
    const dead = await this.sql.rows<DeadWrite>(
      `SELECT id, repository_kind AS kind, container_id AS "containerId", user_id AS "userId",
              commands
       FROM inflight_writes
       WHERE heartbeat_at < now() - make_interval(secs => $1)
       ORDER BY started_at DESC LIMIT ${BATCH}`,
      [DEAD_AFTER_SECONDS],
    );
    const closed = [];
    for (const write of dead) closed.push(await this.closeReporting(write));
    return closed.filter((isClosed) => isClosed).length;
  }

  private async closeReporting(write: DeadWrite): Promise<boolean> {
    try {
      return await this.close(write);
    } catch (error) {
      // One unreadable repository must not keep the others' writes open; it is tried again.
      this.logger.error(`Write ${write.id} could not be closed: ${String(error)}`);
      return false;
    }
  }

  private async close(write: DeadWrite): Promise<boolean> {
    const { kind, containerId } = write;
    const container = await readContainerState(this.sql, containerKindOf(kind), containerId);
    if (container !== null) {
      const { storage } = container;
      const { root: storageRoot } = this.storages.get(storage);
      const lock = { storageRoot, repositoryKey: repositoryKey(kind, containerId) };
      if (!(await pushLockIsFree(lock, LOCK_WAIT_MS))) return false;
      if (await this.hasSuccessor(write)) return false;
      await this.recordOutcome(write, this.storages.absolutePath({ storage, kind, containerId }));
    } else {
      await this.discardLeftovers(write);
    }
    // A process that was only paused may have renewed its row in the meantime.
    const deleted = await this.sql.rows(
      `DELETE FROM inflight_writes
       WHERE id = $1 AND heartbeat_at < now() - make_interval(secs => $2) RETURNING id`,
      [write.id, DEAD_AFTER_SECONDS],
    );
    return deleted.length > 0;
  }

  /**
   * A later write that is still open may have gone on from where this one led; only its record
   * tells then that this one came into force. Hence also the order, latest first.
   */
  private async hasSuccessor({ id, kind, containerId }: DeadWrite): Promise<boolean> {
    const successor = await this.sql.row(
      `SELECT 1 AS found FROM inflight_writes later
       JOIN inflight_writes own ON own.id = $1 AND later.started_at > own.started_at
       WHERE later.repository_key = $2 LIMIT 1`,
      [id, repositoryKey(kind, containerId)],
    );
    return successor !== null;
  }

  /** The process may have died between deleting the container's row and moving its files away. */
  private async discardLeftovers({ kind, containerId }: DeadWrite): Promise<void> {
    const reason = `${repositoryKey(kind, containerId)} deleted`;
    for (const storage of this.storages.names()) {
      await this.trash.discard({ storage, kind, containerId }, reason);
    }
  }

  private async recordOutcome(write: DeadWrite, repositoryPath: string): Promise<void> {
    if (write.commands === null) return;
    await this.recorder.recordOutcome({ ...write, repositoryPath }, write.commands);
  }
}
