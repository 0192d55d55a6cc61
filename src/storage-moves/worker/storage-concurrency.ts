import type { StorageLimits } from '../storage-settings.repository.js';

export interface Pair {
  source: string;
  destination: string;
}

/** How busy each storage is against its limits, while moves are being claimed. */
export class StorageConcurrency {
  private readonly out = new Map<string, number>();
  private readonly into = new Map<string, number>();

  constructor(
    private readonly limits: ReadonlyMap<string, StorageLimits>,
    running: readonly (Pair & { count: number })[],
  ) {
    for (const pair of running) this.add(pair, pair.count);
  }

  /** Counts the move in when both its storages have room. */
  take(pair: Pair): boolean {
    if (this.isFull(this.out, pair.source, 'maxOut')) return false;
    if (this.isFull(this.into, pair.destination, 'maxIn')) return false;
    this.add(pair, 1);
    return true;
  }

  fullSources(): string[] {
    return [...this.limits.keys()].filter((name) => this.isFull(this.out, name, 'maxOut'));
  }

  fullDestinations(): string[] {
    return [...this.limits.keys()].filter((name) => this.isFull(this.into, name, 'maxIn'));
  }

  /** From these nothing new starts. */
  closedSources(): string[] {
    return this.namesWhere(({ paused }) => paused);
  }

  /** To these nothing new starts: paused, or lately out of space. */
  closedDestinations(): string[] {
    return this.namesWhere(({ paused, blockedUntil }) => paused || blockedUntil !== null);
  }

  private namesWhere(isWanted: (limits: StorageLimits) => boolean): string[] {
    return [...this.limits].filter(([, limits]) => isWanted(limits)).map(([name]) => name);
  }

  private isFull(load: Map<string, number>, name: string, limit: 'maxIn' | 'maxOut'): boolean {
    // A storage that is no longer configured has no limit: its moves fail at once.
    const bound = this.limits.get(name)?.[limit] ?? Number.POSITIVE_INFINITY;
    return (load.get(name) ?? 0) >= bound;
  }

  private add({ source, destination }: Pair, count: number): void {
    this.out.set(source, (this.out.get(source) ?? 0) + count);
    this.into.set(destination, (this.into.get(destination) ?? 0) + count);
  }
}
