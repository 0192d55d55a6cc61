import { randomBytes, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { ApiError, NotFoundError } from '../core/errors.js';
import { ContainersRepository, type ContainerState } from './containers.repository.js';
import { InflightWritesRepository } from './inflight-writes.repository.js';
import type { RefCommand } from './reference-updates.js';
import { containerKindOf, type RepositoryKind } from './repository-path.js';

/** Repository and user of a write; `userId` null = the system. */
export interface WriteRequest {
  kind: RepositoryKind;
  containerId: number;
  userId: number | null;
}

/** The right to write to one repository, until it is released. */
export interface WriteLease extends WriteRequest {
  id: string;
  /** Where the repository is for as long as the lease is held. */
  storage: string;
  /**
   * Puts on record what is about to be written and answers whether that is still allowed: false
   * when the lease was considered expired, since a move may have proceeded without it.
   */
  confirm(commands: RefCommand[]): Promise<boolean>;
  release(): Promise<void>;
  /** Leaves the row to be found dead, for a write whose outcome could not be recorded. */
  abandon(): void;
}

const HEARTBEAT_MS = 15_000;
const INSTANCE = `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`;

export const READ_ONLY_MESSAGE = 'The repository is temporarily read-only. Please try again later.';

/** 400 for writing over the API to a repository that is being moved. */
export class RepositoryReadOnlyError extends ApiError {
  constructor(
    /** Where the repository was when that was found out. */
    readonly storage?: string,
  ) {
    super(400, { message: READ_ONLY_MESSAGE });
  }
}

/**
 * Hands out the right to write to a repository, to pushes and to writers over the API alike.
 *
 * The lease's row is committed BEFORE the read-only flag is read; a mover sets the flag BEFORE it
 * reads the rows. So one of them always sees the other: a move waits for every write that holds a
 * lease, and copies its result.
 */
@Injectable()
export class WriteLeaseService implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(WriteLeaseService.name);
  private readonly held = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly writes: InflightWritesRepository,
    private readonly containers: ContainersRepository,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.beat(), HEARTBEAT_MS).unref();
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Throws RepositoryReadOnlyError during a move, NotFoundError when the container is gone. */
  async acquire(request: WriteRequest): Promise<WriteLease> {
    const id = randomUUID();
    await this.writes.add(id, request, INSTANCE);
    this.held.add(id);
    try {
      const { storage, readOnly } = await this.state(request);
      if (readOnly) throw new RepositoryReadOnlyError(storage);
      return this.lease(request, id, storage);
    } catch (error) {
      await this.release(id);
      throw error;
    }
  }

  /** Runs `work` under a lease. Throws as `acquire` does. */
  async run<T>(request: WriteRequest, work: (lease: WriteLease) => Promise<T>): Promise<T> {
    const lease = await this.acquire(request);
    try {
      return await work(lease);
    } finally {
      await lease.release();
    }
  }

  private lease(request: WriteRequest, id: string, storage: string): WriteLease {
    return {
      ...request,
      id,
      storage,
      confirm: async (commands) => {
        const isHeld = await this.writes.recordCommands(id, commands);
        // A move that started meanwhile waits for this row, even if its read-only flag is already
        // set.
        return isHeld && (await this.state(request)).storage === storage;
      },
      release: () => this.release(id),
      abandon: () => this.held.delete(id),
    };
  }

  private async state({ kind, containerId }: WriteRequest): Promise<ContainerState> {
    const state = await this.containers.findState(containerKindOf(kind), containerId);
    if (state === null) throw new NotFoundError();
    return state;
  }

  private async release(id: string): Promise<void> {
    this.held.delete(id);
    await this.writes.deleteById(id);
  }

  private async beat(): Promise<void> {
    if (this.held.size === 0) return;
    try {
      await this.writes.renew([...this.held]);
    } catch (error) {
      // The next beat comes long before the row counts as dead.
      this.logger.warn(`Writes in progress could not be renewed: ${String(error)}`);
    }
  }
}
