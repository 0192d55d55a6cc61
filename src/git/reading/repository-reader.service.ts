import { Injectable } from '@nestjs/common';
import { KeyedSemaphore, Semaphore } from '../../core/concurrency.js';
import { NotFoundError, UnavailableError } from '../../core/errors.js';
import { clientSignal, currentClient } from '../../core/http/connections.js';
import { shareOf } from '../../core/process-group.js';
import { bareRepositoryExists } from '../git-repository.js';
import { ContainersRepository } from '../containers.repository.js';
import { containerKindOf, repositoryKey, type RepositoryKind } from '../repository-path.js';
import { StorageRegistry } from '../storage-registry.js';

const TOTAL = { capacity: shareOf(12), queue: 200 };
/** Slow readings of one repository must not block those of others. */
const PER_REPOSITORY = { capacity: shareOf(4), queue: 50 };
/** Readings of one client address must leave room for those of others. */
const PER_CLIENT = { capacity: shareOf(6), queue: 200 };
const PER_CLIENT_AND_REPOSITORY = { capacity: shareOf(3), queue: 100 };
const RETRY_AFTER_SECONDS = 30;

/** A repository that is being read. */
export interface OpenRepository {
  readonly path: string;
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal;
}

/** Repository to read; its storage is looked up each time. */
interface ReadAddress {
  kind: RepositoryKind;
  containerId: number;
}

/** Finds repositories and limits concurrent reads: in total, per repository and per client address. */
@Injectable()
export class RepositoryReader {
  private readonly readings = new Semaphore(TOTAL);
  private readonly readingsOfRepository = new KeyedSemaphore(PER_REPOSITORY);
  private readonly readingsOfClient = new KeyedSemaphore(PER_CLIENT);
  private readonly readingsOfClientInRepository = new KeyedSemaphore(PER_CLIENT_AND_REPOSITORY);

  constructor(
    private readonly storages: StorageRegistry,
    private readonly containers: ContainersRepository,
  ) {}

  /**
   * Queues a reading and runs it; a client disconnect ends it. Throws 404 `Repository` when there
   * is none, 503 when it is missing, its storage is unavailable or a queue is full. Must not be
   * nested: the inner reading could wait for the outer one's slot.
   */
  read<T>(address: ReadAddress, work: (repository: OpenRepository) => Promise<T>): Promise<T> {
    const signal = clientSignal();
    const reading = async (): Promise<T> => {
      // Skips readings of disconnected clients, so that the queue drains quickly.
      if (signal?.aborted === true) throw new UnavailableError(RETRY_AFTER_SECONDS);
      const repository = await this.open(address);
      if (repository === null) throw new NotFoundError('Repository');
      return work({ ...repository, signal });
    };
    const key = repositoryKey(address.kind, address.containerId);
    const queued = (): Promise<T> =>
      this.readingsOfRepository.run(key, () => this.readings.run(reading));
    const client = currentClient();
    if (client === undefined) return queued();
    return this.readingsOfClientInRepository.run(`${key} ${client}`, () =>
      this.readingsOfClient.run(client, queued),
    );
  }

  /**
   * Returns the repository, or null when there is none yet. Follows a concurrent move. Throws 503
   * when it is missing or its storage is unavailable.
   */
  async open(address: ReadAddress): Promise<OpenRepository | null> {
    const { kind, containerId } = address;
    let previous: string | null = null;
    for (;;) {
      const state = await this.containers.findState(containerKindOf(kind), containerId);
      if (state === null) return null;
      if (state.storage === previous) {
        await this.containers.assertNotLost(address);
        return null;
      }
      const { storage } = state;
      const path = await this.find({ storage, kind, containerId });
      if (path !== null) return { path };
      // A move may have taken it away since its place was read; then the place has changed.
      previous = storage;
    }
  }

  private async find(address: ReadAddress & { storage: string }): Promise<string | null> {
    try {
      const path = this.storages.absolutePath(address);
      if (await bareRepositoryExists(path)) return path;
      // A storage that is not mounted looks like one without repositories.
      await this.storages.filesystemId(address.storage);
      return null;
    } catch (error) {
      throw Object.assign(new UnavailableError(RETRY_AFTER_SECONDS), { cause: error });
    }
  }
}
