import { Injectable } from '@nestjs/common';
import type { TransactionRows } from '../../core/sql/sql.service.js';
import { ErrorMergesRepository } from '../merges/error-merges.repository.js';
import { summaryOf, usersOf, type GroupedEvents, type LockedGroup } from './grouped-events.js';

/**
 * Returns the events that count for errors with others merged into them: their own and those of the
 * merged ones. Each error keeps its own sampling.
 */
export function totalsOf(
  groups: readonly GroupedEvents[],
  locked: ReadonlyMap<number, LockedGroup>,
): GroupedEvents[] {
  const totals = new Map<number, GroupedEvents>();
  for (const group of groups) {
    const { id, mergedIntoId, hasMerged } = group.error;
    if (mergedIntoId === null && !hasMerged) continue;
    const error = locked.get(mergedIntoId ?? id) as LockedGroup;
    const total = totals.get(error.id) ?? emptyOf(error, group.projectId);
    total.items.push(...group.items);
    total.stored.push(...group.stored);
    if (hasMerged) [total.day, total.dayCount] = [group.day, group.dayCount];
    totals.set(error.id, total);
  }
  return [...totals.values()];
}

function emptyOf(error: LockedGroup, projectId: number): GroupedEvents {
  const { sampledDay: day, sampledCount: dayCount } = error;
  return { error, projectId, items: [], stored: [], newUsers: 0, day, dayCount };
}

/** Counts what an error and those merged into it have in common. */
@Injectable()
export class MergedTotals {
  constructor(private readonly merges: ErrorMergesRepository) {}

  /** Counts new users of the totals, and updates own values; runs before users are inserted. */
  async prepare(
    rows: TransactionRows,
    groups: readonly GroupedEvents[],
    totals: readonly GroupedEvents[],
  ): Promise<void> {
    const users = totals.flatMap((total) =>
      usersOf(total).map(({ errorId, userHash }) => ({ targetId: errorId, userHash })),
    );
    if (users.length > 0) {
      const counted = await this.merges.countNewUsers(rows, users);
      for (const total of totals) total.newUsers = counted.get(total.error.id) ?? 0;
    }
    const own = groups.filter(({ error }) => error.hasMerged);
    if (own.length > 0)
      await this.merges.updateOwn(
        rows,
        own.map((group) => summaryOf(group)),
      );
  }
}
