import { Injectable } from '@nestjs/common';
import { UnavailableError } from '../../core/errors.js';
import type { TransactionRows } from '../../core/sql/sql.service.js';
import {
  ErrorHashesRepository,
  type KnownHash,
  type ProjectHash,
} from '../error-hashes.repository.js';
import { ErrorGroupsRepository } from '../errors/error-groups.repository.js';
import type { NewGroup } from '../sql/group-ingest.js';
import type { IngestItem, LockedGroup } from './grouped-events.js';

/** Maps the hashes of a batch to their errors. */
class KnownHashes {
  private readonly errors = new Map<string, number>();
  /** The errors that others are merged into, by these. */
  readonly targets = new Map<number, number>();
  private readonly added = new Map<string, KnownHash>();

  /** The hashes that were added. */
  get additions(): KnownHash[] {
    return [...this.added.values()];
  }

  /** Notes hashes that are stored. */
  know(stored: readonly KnownHash[]): void {
    for (const one of stored) {
      this.errors.set(keyOf(one), one.errorId);
      if (one.targetId !== null) this.targets.set(one.errorId, one.targetId);
    }
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
      const one = { projectId, hash, errorId, targetId: this.targets.get(errorId) ?? null };
      const key = keyOf(one);
      if (this.errors.has(key)) continue;
      this.errors.set(key, errorId);
      this.added.set(key, one);
    }
  }
}

/** Returns the distinct hashes of the events. */
function hashesOf(items: readonly IngestItem[]): ProjectHash[] {
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

/** Advisory locks of projects with new errors, apart from all other lock keys. */
const PROJECT_LOCKS = 4_300_000_000_000_000;

/** An error was deleted, merged or unmerged since its hash was read: it is read again. */
class ErrorGroupChangedError extends UnavailableError {
  /** SQLSTATE of a serialization failure: nothing of the transaction is stored, and it can be retried. */
  readonly code = '40001';

  constructor() {
    super(1);
  }
}

/** Events by the ID of their error. */
export interface GroupedItems {
  groups: Map<number, IngestItem[]>;
  /** The errors that some of them are merged into. */
  targets: ReadonlyMap<number, number>;
}

/** Finds the errors that events belong to, and inserts those that are new. */
@Injectable()
export class ErrorGrouping {
  constructor(
    private readonly errors: ErrorGroupsRepository,
    private readonly hashes: ErrorHashesRepository,
  ) {}

  /** Returns those hashes of the events that belong to an error. */
  findHashes(rows: TransactionRows, items: readonly IngestItem[]): Promise<KnownHash[]> {
    return this.hashes.findKnown(rows, hashesOf(items));
  }

  /**
   * Returns the events by the id of their error, which is inserted when there is none: under a lock
   * of its project, so that the same error never becomes two. Errors that are merged into another
   * one keep their events.
   */
  async group(
    rows: TransactionRows,
    items: readonly IngestItem[],
    known: readonly KnownHash[],
  ): Promise<GroupedItems> {
    const hashes = new KnownHashes();
    hashes.know(known);
    const unknown = items.filter((item) => hashes.errorOf(item) === null);
    if (unknown.length > 0) await this.insertErrors(rows, unknown, hashes);
    const groups = new Map<number, IngestItem[]>();
    for (const item of items) {
      const errorId = hashes.errorOf(item) as number;
      hashes.add(item, errorId);
      const group = groups.get(errorId);
      if (group === undefined) groups.set(errorId, [item]);
      else group.push(item);
    }
    const { additions } = hashes;
    if (additions.length > 0) await this.hashes.insertAll(rows, additions);
    return { groups, targets: hashes.targets };
  }

  /**
   * Locks the errors and those that they are merged into until the end of the transaction, and
   * thereby their tags and trends. Throws ErrorGroupChangedError unless all are as they were read.
   */
  async lock(
    rows: TransactionRows,
    { groups, targets }: GroupedItems,
  ): Promise<Map<number, LockedGroup>> {
    const ids = new Set(groups.keys());
    for (const id of groups.keys()) ids.add(targets.get(id) ?? id);
    const locked = await this.errors.lockAll(rows, [...ids]);
    const isSame = locked.every(
      ({ id, mergedIntoId }) => mergedIntoId === (targets.get(id) ?? null),
    );
    if (locked.length < ids.size || !isSame) throw new ErrorGroupChangedError();
    return new Map(locked.map((error) => [error.id, error]));
  }

  /** Others can have inserted some of the errors before the lock was granted. */
  private async insertErrors(
    rows: TransactionRows,
    items: readonly IngestItem[],
    hashes: KnownHashes,
  ): Promise<void> {
    const projects = [...new Set(items.map(({ source }) => source.projectId))];
    const keys = projects.map((id) => PROJECT_LOCKS + id).toSorted((one, other) => one - other);
    await this.errors.lockProjects(rows, keys);
    hashes.know(await this.findHashes(rows, items));
    const ids = await this.errors.nextIds(rows, items.length);
    const made: NewGroup[] = [];
    for (const [at, item] of items.entries()) {
      if (hashes.errorOf(item) !== null) continue;
      const id = ids[at] as number;
      hashes.add(item, id);
      made.push({ ...item, id });
    }
    if (made.length > 0) await this.errors.insertAll(rows, made);
  }
}
