import { Injectable } from '@nestjs/common';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { Sql, type TransactionRows } from '../../core/sql/sql.service.js';
import { ErrorOutcomesRepository, type OutcomeRow } from '../error-outcomes.repository.js';
import { ErrorStatisticsRepository, type TagCount } from '../error-statistics.repository.js';
import { ErrorEventsRepository, type InsertedId } from '../events/error-events.repository.js';
import { ErrorGrouping, type GroupedItems } from './error-grouping.service.js';
import { ErrorTransitions } from './error-transitions.service.js';
import { utcDay } from '../error-values.js';
import {
  hoursOf,
  MAX_USERS,
  sample,
  tagsOf,
  usersOf,
  type GroupedEvents,
  type IngestItem,
  type IngestOutcome,
  type LockedGroup,
  type Sampling,
} from './grouped-events.js';
import { MergedTotals, totalsOf } from './merged-totals.service.js';

const MAX_KEYS = 100;
const MAX_VALUES = 100;

/**
 * Returns the new tag values that can be counted, given how many values of which keys their errors
 * have: an error has at most 100 keys with 100 values each.
 */
function withinTagLimits<T extends Omit<TagCount, 'values'>>(
  tags: readonly T[],
  counts: readonly TagCount[],
): T[] {
  const errors = new Map<number, Map<string, number>>();
  const keysOf = (errorId: number): Map<string, number> => {
    const keys = errors.get(errorId) ?? new Map<string, number>();
    errors.set(errorId, keys);
    return keys;
  };
  for (const { errorId, key, values } of counts) keysOf(errorId).set(key, values);
  return tags.filter(({ errorId, key }) => {
    const keys = keysOf(errorId);
    const values = keys.get(key);
    const isWithin = values === undefined ? keys.size < MAX_KEYS : values < MAX_VALUES;
    if (isWithin) keys.set(key, (values ?? 0) + 1);
    return isWithin;
  });
}

/** Someone deleted what the batch was about, or was in its way: the next time it is different. */
const TRANSIENT = new Set(['23503', '40001', '40P01']);
const ATTEMPTS = 3;

/** Writes what many requests reported in one transaction. */
@Injectable()
export class ErrorBatchWriter {
  constructor(
    private readonly sql: Sql,
    private readonly settings: InstanceSettings,
    private readonly grouping: ErrorGrouping,
    private readonly transitions: ErrorTransitions,
    private readonly events: ErrorEventsRepository,
    private readonly statistics: ErrorStatisticsRepository,
    private readonly outcomes: ErrorOutcomesRepository,
    private readonly merged: MergedTotals,
  ) {}

  /** Returns the outcome of each event, in the order of the events. */
  write(items: readonly IngestItem[]): Promise<IngestOutcome[]> {
    return this.persist(items);
  }

  private async persist(items: readonly IngestItem[], attempt = 1): Promise<IngestOutcome[]> {
    const { values } = this.settings;
    const sampling = {
      all: values.error_tracking_stored_events_per_error,
      interval: values.error_tracking_sampling_interval,
    };
    try {
      await this.transitions.noteReleases(items);
      return await this.sql.transaction((rows) => this.writeItems(rows, items, sampling), {
        avoidsScans: true,
        isBrief: true,
      });
    } catch (error) {
      if (attempt === ATTEMPTS || !isTransient(error)) throw error;
      return this.persist(items, attempt + 1);
    }
  }

  /**
   * The order of the tables is the order in which locks are taken: ids of events, projects with new
   * errors, errors, counters of outcomes.
   */
  private async writeItems(
    rows: TransactionRows,
    items: readonly IngestItem[],
    sampling: Sampling,
  ): Promise<IngestOutcome[]> {
    const [fresh, hashes] = await Promise.all([
      this.insertIds(rows, items),
      this.grouping.findHashes(rows, items),
    ]);
    if (fresh.length === 0) return items.map(() => 'duplicate');
    const grouped = await this.grouping.group(rows, fresh, hashes);
    const { groups, totals } = await this.lockGroups(rows, grouped, sampling);
    if (totals.length > 0) await this.merged.prepare(rows, groups, totals);
    await this.countUsers(rows, groups);
    const counted = [...groups.filter(({ error }) => !error.hasMerged), ...totals];
    const events = groups.flatMap(({ error, stored }) =>
      stored.map((item) => ({ ...item, errorId: error.id })),
    );
    await Promise.all([
      this.transitions.countEvents(rows, counted),
      this.statistics.addTrends(rows, counted.flatMap(hoursOf)),
      events.length > 0 && this.events.insertAll(rows, events),
      this.countTags(rows, counted),
    ]);
    await this.outcomes.add(rows, acceptedOf(fresh));
    const [known, stored] = [new Set(fresh), new Set(groups.flatMap((group) => group.stored))];
    return items.map((item) => {
      if (!known.has(item)) return 'duplicate';
      return stored.has(item) ? 'stored' : 'counted';
    });
  }

  /** Returns the events that are new today and yesterday; of duplicates the first. */
  private async insertIds(
    rows: TransactionRows,
    items: readonly IngestItem[],
  ): Promise<IngestItem[]> {
    const first = new Map<string, IngestItem>();
    for (const item of items) {
      const key = keyOf({ projectId: item.source.projectId, eventId: item.event.eventId });
      if (!first.has(key)) first.set(key, item);
    }
    const inserted = await this.events.insertIds(rows, [...first.values()]);
    const fresh = new Set(inserted.map(keyOf));
    return [...first].filter(([key]) => fresh.has(key)).map(([, item]) => item);
  }

  private async lockGroups(
    rows: TransactionRows,
    grouped: GroupedItems,
    sampling: Sampling,
  ): Promise<{ groups: GroupedEvents[]; totals: GroupedEvents[] }> {
    const locked = await this.grouping.lock(rows, grouped);
    const groups = [...grouped.groups].map(([id, own]) =>
      sample(locked.get(id) as LockedGroup, own, sampling),
    );
    return { groups, totals: totalsOf(groups, locked) };
  }

  /** Stores the affected users, and counts the new ones of each group. */
  private async countUsers(rows: TransactionRows, groups: readonly GroupedEvents[]): Promise<void> {
    const counting = groups.filter(({ error }) => error.usersCount < MAX_USERS);
    const users = counting.flatMap(usersOf);
    if (users.length === 0) return;
    const byId = new Map(counting.map((group) => [group.error.id, group]));
    for (const errorId of await this.statistics.insertUsers(rows, users)) {
      (byId.get(errorId) as GroupedEvents).newUsers += 1;
    }
  }

  /** Counts the tags of stored events, within the limits of their errors. */
  private async countTags(rows: TransactionRows, groups: readonly GroupedEvents[]): Promise<void> {
    const tags = groups.flatMap(tagsOf);
    if (tags.length === 0) return;
    const unknown = await this.statistics.updateTags(rows, tags);
    if (unknown.length === 0) return;
    const errorIds = [...new Set(unknown.map(({ errorId }) => errorId))];
    const counts = await this.statistics.countTagValues(rows, errorIds);
    const fitting = withinTagLimits(unknown, counts);
    if (fitting.length > 0) await this.statistics.insertTags(rows, fitting);
  }
}

function keyOf({ projectId, eventId }: InsertedId): string {
  return `${projectId} ${eventId}`;
}

function acceptedOf(items: readonly IngestItem[]): OutcomeRow[] {
  const outcomes = new Map<string, OutcomeRow>();
  for (const { source, event } of items) {
    const day = utcDay(event.receivedAt);
    const key = `${source.projectId} ${day}`;
    const known = outcomes.get(key);
    if (known !== undefined) known.quantity += 1;
    else {
      const words = { kind: 'accepted', category: 'error', reason: '' } as const;
      outcomes.set(key, { projectId: source.projectId, day, ...words, quantity: 1 });
    }
  }
  return [...outcomes.values()];
}

function isTransient(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && TRANSIENT.has(code);
}
