import type { KnownHash, ProjectHash } from '../error-hashes.repository.js';
import type { IngestItem } from './ingest-item.js';

/** To which errors the hashes of a batch belong, as far as that is known. */
export class KnownHashes {
  private readonly errors = new Map<string, number>();
  private readonly added = new Map<string, KnownHash>();

  /** The hashes that were added. */
  get additions(): KnownHash[] {
    return [...this.added.values()];
  }

  /** Notes hashes that are stored. */
  know(stored: readonly KnownHash[]): void {
    for (const one of stored) this.errors.set(keyOf(one), one.errorId);
  }

  /** The error of an event by any of its hashes, the first before the others; null for a new one. */
  errorOf({ source, event }: IngestItem): number | null {
    for (const hash of event.hashes) {
      const errorId = this.errors.get(keyOf({ projectId: source.projectId, hash }));
      if (errorId !== undefined) return errorId;
    }
    return null;
  }

  /** The hashes of the event that stand for nothing yet stand for this error from now on. */
  add({ source: { projectId }, event }: IngestItem, errorId: number): void {
    for (const hash of event.hashes) {
      const one = { projectId, hash, errorId };
      const key = keyOf(one);
      if (this.errors.has(key)) continue;
      this.errors.set(key, errorId);
      this.added.set(key, one);
    }
  }
}

/** Returns the distinct hashes of the events. */
export function hashesOf(items: readonly IngestItem[]): ProjectHash[] {
  const hashes = new Map<string, ProjectHash>();
  for (const { source, event } of items) {
    for (const hash of event.hashes) {
      const one = { projectId: source.projectId, hash };
      hashes.set(keyOf(one), one);
    }
  }
  return [...hashes.values()];
}

function keyOf({ projectId, hash }: ProjectHash): string {
  return `${projectId} ${hash.toString('latin1')}`;
}
