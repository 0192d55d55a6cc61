import { Injectable } from '@nestjs/common';
import { KeyedSemaphore, Semaphore } from '../core/concurrency.js';
import { bareRepositoryExists } from './git-repository.js';
import { ContainersRepository } from './containers.repository.js';
import { shareOf } from '../core/process-group.js';
import type { RefCommand } from './reference-updates.js';
import { newestCommits } from './reading/commits.js';
import { BRANCH_PREFIX, isZeroOid } from './reference-name.js';
import { PushRecorder } from './push-recorder.service.js';
import { repositoryKey } from './repository-path.js';
import { onStorage, StorageRegistry } from './storage-registry.js';
import {
  RepositoryReadOnlyError,
  type WriteLease,
  WriteLeaseService,
  type WriteRequest,
} from './write-lease.service.js';

/** Each write runs git processes; those that wait for their repository's turn do not count. */
const TOTAL = { capacity: shareOf(8), queue: 200 };

/**
 * Writes to repositories from within: commits, branches, tags, merges. Git has the last word about
 * refs: they move first, the record and what follows from it come after. What a process that dies in
 * between leaves open is closed by `AbandonedWrites` from the lease's row.
 */
@Injectable()
export class RepositoryWriter {
  private readonly writes = new Semaphore(TOTAL);
  /** One at a time, so that writes of this process never retry because of each other. */
  private readonly writesOfRepository = new KeyedSemaphore({ capacity: 1, queue: 100 });

  constructor(
    private readonly leases: WriteLeaseService,
    private readonly recorder: PushRecorder,
    private readonly storages: StorageRegistry,
    private readonly containers: ContainersRepository,
  ) {}

  /**
   * The work moves refs and answers which; before each attempt it calls `confirm`, and `settle` when
   * nothing moved. Throws RepositoryReadOnlyError during a move, NotFoundError when the container is
   * gone, 503 when the queue is full or the storage fails, and errors of the work.
   */
  write(
    request: WriteRequest,
    work: (open: ActiveWrite) => Promise<readonly RefCommand[]>,
  ): Promise<void> {
    const key = repositoryKey(request.kind, request.containerId);
    return this.writesOfRepository.run(key, () =>
      this.writes.run(() => this.writeNow(request, work)),
    );
  }

  private async writeNow(
    request: WriteRequest,
    work: (open: ActiveWrite) => Promise<readonly RefCommand[]>,
  ): Promise<void> {
    const lease = await this.leases.acquire(request);
    const { root: storageRoot } = this.storages.get(lease.storage);
    const open = new ActiveWrite(lease, { path: this.storages.absolutePath(lease), storageRoot });
    try {
      const commands = await onStorage(lease.storage, () => this.run(open, request, work));
      await this.recorder.record({ ...lease, repositoryPath: open.path }, commands);
      open.settle();
    } finally {
      if (open.isOutcomeKnown) await lease.release();
      else lease.abandon();
    }
  }

  /** Throws 503 instead of what a missing repository made of the work. */
  private async run(
    open: ActiveWrite,
    request: WriteRequest,
    work: (open: ActiveWrite) => Promise<readonly RefCommand[]>,
  ): Promise<readonly RefCommand[]> {
    try {
      return await work(open);
    } catch (error) {
      const isMissing = open.isOutcomeKnown && !(await bareRepositoryExists(open.path));
      if (isMissing) await this.containers.assertNotLost(request);
      throw error;
    }
  }
}

/** One write under its lease. Its outcome is open from just before refs move. */
export class ActiveWrite {
  isOutcomeKnown = true;
  readonly path: string;
  readonly storageRoot: string;

  constructor(
    private readonly lease: WriteLease,
    place: { path: string; storageRoot: string },
  ) {
    this.path = place.path;
    this.storageRoot = place.storageRoot;
  }

  /** Must be called before any ref moves. Throws RepositoryReadOnlyError when the lease is lost. */
  async confirm(commands: readonly RefCommand[]): Promise<void> {
    if (!(await this.lease.confirm([...commands]))) throw new RepositoryReadOnlyError();
    this.isOutcomeKnown = false;
    this.readAhead(commands);
  }

  /** Reads the commits that recording the write asks for, while refs move; it reports failures. */
  private readAhead(commands: readonly RefCommand[]): void {
    if (this.lease.kind !== 'project') return;
    for (const { ref, oldOid: from, newOid: to } of commands) {
      if (!ref.startsWith(BRANCH_PREFIX) || isZeroOid(from) || isZeroOid(to)) continue;
      newestCommits({ path: this.path }, { from, to }).catch(() => undefined);
    }
  }

  /** No ref has moved since `confirm`, or all that did is on record. */
  settle(): void {
    this.isOutcomeKnown = true;
  }
}
