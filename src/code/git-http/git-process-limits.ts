import { KeyedSemaphore } from '../../core/concurrency.js';
import { clientAddress } from '../../core/http/request-address.js';
import { shareOf } from '../../core/process-group.js';
import { repositoryKey } from '../../git/repository-path.js';
import type { GitExchange } from './git-exchange.js';
import { unavailable } from './git-http-error.js';

interface Limits {
  perRepository: number;
  total: number;
}

const PER_REPOSITORY = 20;

/**
 * Limits of clones and of pushes. A repository gets twice its share in each process, since its
 * clients do not spread evenly and a refused clone is not repeated.
 */
export const CLIENT_LIMITS: Limits = {
  perRepository: Math.min(PER_REPOSITORY, 2 * shareOf(PER_REPOSITORY)),
  total: shareOf(100),
};

/** Shares that one address or user can hold, so that others find free processes. */
const SHARE_OF_REPOSITORY = 0.75;
const SHARE_OF_ALL = 0.5;

const BUSY = 'The server is busy with other Git requests. Please try again later.';
const TOO_MANY = 'You have too many concurrent Git requests. Please try again later.';

/**
 * Limits concurrent git processes for clients: in total, per repository, and for each address and
 * user.
 */
export class GitProcessLimits {
  private readonly processes: KeyedSemaphore;

  constructor(private readonly limits: Limits) {
    this.processes = new KeyedSemaphore({ capacity: limits.total });
  }

  /** Acquires a process and returns its release, which works once; throws 503 at a limit. */
  acquire(exchange: Pick<GitExchange, 'target' | 'viewer' | 'request'>): () => void {
    const held: string[] = [];
    const release = (): void => held.splice(0).forEach((key) => this.processes.release(key));
    for (const { key, capacity, message } of this.limitsOf(exchange)) {
      if (!this.processes.tryAcquire(key, capacity)) {
        release();
        throw unavailable(message);
      }
      held.push(key);
    }
    return release;
  }

  private limitsOf({ target, viewer, request }: Parameters<GitProcessLimits['acquire']>[0]): {
    key: string;
    capacity: number;
    message: string;
  }[] {
    const { perRepository, total } = this.limits;
    const repository = repositoryKey(target.kind, target.containerId);
    const clients = [`address ${clientAddress(request.ip)}`];
    if (viewer !== null) clients.push(`user ${viewer.id}`);
    return [
      { key: 'all', capacity: total, message: BUSY },
      { key: repository, capacity: perRepository, message: BUSY },
      ...clients.flatMap((client) => [
        { key: client, capacity: total * SHARE_OF_ALL, message: TOO_MANY },
        {
          key: `${repository} ${client}`,
          capacity: perRepository * SHARE_OF_REPOSITORY,
          message: TOO_MANY,
        },
      ]),
    ];
  }
}
