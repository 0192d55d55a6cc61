import { clientAddress } from '../core/rate-limits/client-address.js';
import { repositoryKey } from '../git/repository-path.js';
import type { GitExchange } from './git-exchange.js';
import { unavailable } from './git-http-error.js';

interface SlotLimits {
  perRepository: number;
  total: number;
}

/** Shares that one address or user can hold, so that slots remain for others. */
const SHARE_OF_REPOSITORY = 0.75;
const SHARE_OF_ALL = 0.5;

/**
 * Limits concurrent git processes for clients: in total, per repository, and for each address and
 * user.
 */
export class ProcessSlots {
  private readonly taken = new Map<string, number>();

  constructor(private readonly limits: SlotLimits) {}

  /** Takes a slot and answers how to give it back, once; refuses with 503 when none is free. */
  take(exchange: Pick<GitExchange, 'target' | 'viewer' | 'request'>): () => void {
    const { own, common } = this.countsOf(exchange);
    if (common.some((count) => this.isFull(count))) {
      throw unavailable('The server is busy with other Git requests. Please try again later.');
    }
    if (own.some((count) => this.isFull(count))) {
      throw unavailable('You have too many concurrent Git requests. Please try again later.');
    }
    const counts = [...common, ...own].map(([name]) => name);
    counts.forEach((name) => this.taken.set(name, this.of(name) + 1));
    let isTaken = true;
    return () => {
      if (isTaken) counts.forEach((name) => this.giveBack(name));
      isTaken = false;
    };
  }

  /** Returns the counters that a request increments, each with its limit. */
  private countsOf({ target, viewer, request }: Parameters<ProcessSlots['take']>[0]): {
    common: [name: string, most: number][];
    own: [name: string, most: number][];
  } {
    const { perRepository, total } = this.limits;
    const repository = repositoryKey(target.kind, target.containerId);
    const clients = [`address ${clientAddress(request.ip)}`];
    if (viewer !== null) clients.push(`user ${viewer.id}`);
    return {
      common: [
        ['all', total],
        [repository, perRepository],
      ],
      own: clients.flatMap((client) => [
        [client, total * SHARE_OF_ALL],
        [`${repository} ${client}`, perRepository * SHARE_OF_REPOSITORY],
      ]),
    };
  }

  private isFull([name, most]: [string, number]): boolean {
    return this.of(name) >= most;
  }

  private of(name: string): number {
    return this.taken.get(name) ?? 0;
  }

  private giveBack(name: string): void {
    const left = this.of(name) - 1;
    if (left === 0) this.taken.delete(name);
    else this.taken.set(name, left);
  }
}
