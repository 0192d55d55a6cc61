import { Injectable, Logger } from '@nestjs/common';
import { ContainersRepository } from './containers.repository.js';
import { InflightWritesRepository, type AbandonedWrite } from './inflight-writes.repository.js';
import { pushLockIsFree } from './push-lock.js';
import { PushRecorder } from './push-recorder.service.js';
import { containerKindOf, repositoryKey } from './repository-path.js';
import { RepositoryTrashService } from './repository-trash.service.js';
import { StorageRegistry } from './storage-registry.js';

const LOCK_WAIT_MS = 1_000;

/**
 * Closes writes whose process died. A row goes only after its receive-pack is proved dead; what
 * the push had done by then is put on record, exactly once.
 */
@Injectable()
export class AbandonedWrites {
  private readonly logger = new Logger(AbandonedWrites.name);

  constructor(
    private readonly writes: InflightWritesRepository,
    private readonly containers: ContainersRepository,
    private readonly storages: StorageRegistry,
    private readonly recorder: PushRecorder,
    private readonly trash: RepositoryTrashService,
  ) {}

  /** Closes the writes that can be closed and returns their number. Called by the sweeper. */
  async recover(): Promise<number> {
    const abandoned = await this.writes.listAbandoned();
    const closed = [];
    for (const write of abandoned) closed.push(await this.closeReporting(write));
    return closed.filter((isClosed) => isClosed).length;
  }

  private async closeReporting(write: AbandonedWrite): Promise<boolean> {
    try {
      return await this.close(write);
    } catch (error) {
      // One unreadable repository must not keep the others' writes open; it is tried again.
      this.logger.error(`Write ${write.id} could not be closed: ${String(error)}`);
      return false;
    }
  }

  private async close(write: AbandonedWrite): Promise<boolean> {
    const { kind, containerId } = write;
    const container = await this.containers.findState(containerKindOf(kind), containerId);
    if (container !== null) {
      const { storage } = container;
      const { root: storageRoot } = this.storages.get(storage);
      const lock = { storageRoot, repositoryKey: repositoryKey(kind, containerId) };
      if (!(await pushLockIsFree(lock, LOCK_WAIT_MS))) return false;
      // A later open write may have continued from here; then only the record of this one shows
      // that it took effect. Hence also the order, latest first.
      if (await this.writes.hasSuccessor(write.id, lock.repositoryKey)) return false;
      await this.recordOutcome(write, this.storages.absolutePath({ storage, kind, containerId }));
    } else {
      await this.discardLeftovers(write);
    }
    return this.writes.deleteAbandoned(write.id);
  }

  /** The process may have died between deleting the container's row and moving its files away. */
  private async discardLeftovers({ kind, containerId }: AbandonedWrite): Promise<void> {
    const reason = `${repositoryKey(kind, containerId)} deleted`;
    for (const storage of this.storages.names()) {
      await this.trash.discard({ storage, kind, containerId }, reason);
    }
  }

  private async recordOutcome(write: AbandonedWrite, repositoryPath: string): Promise<void> {
    if (write.commands === null) return;
    await this.recorder.recordOutcome({ ...write, repositoryPath }, write.commands);
  }
}
