import { Injectable } from '@nestjs/common';
import { databaseRefusal } from '../../core/database-refusal.js';
import { UnavailableError } from '../../core/errors.js';
import { InstanceSettings } from '../../core/settings/instance-settings.service.js';
import { Sql, type TransactionRows } from '../../core/sql/sql.service.js';
import { updateErrors } from './error-counters.js';
import type { ErrorGroup } from './error-group.js';
import { errorsOfEvents } from './errors-of-events.js';
import { sample, type Sampling } from './event-sampling.js';
import { countTags } from './event-tags.js';
import { addTrends } from './event-trends.js';
import { countUsers } from './event-users.js';
import type { IngestItem, IngestOutcome } from './ingest-item.js';
import { IngestMetrics } from './ingest-metrics.service.js';
import { lockErrors, VanishedErrorError } from './locked-errors.js';
import { newEvents } from './new-events.js';
import { addOutcomes, type OutcomeRow } from './outcome-rows.js';
import { storeEvents } from './stored-events.js';
import { utcDay } from './utc-day.js';

/** Errors of PostgreSQL after which nothing of the transaction is there: values, constraints. */
const UNDONE = /^(?:22|23|40001|40P01)/;

/** Somebody deleted what the batch was about, or was in its way: the next time it is different. */
const TRANSIENT = new Set(['23503', '40001', '40P01']);
const ATTEMPTS = 3;

/** A statement was cancelled because it took too long. */
const CANCELLED = '57014';
const RETRY_AFTER_SECONDS = 2;

/** Writes what many requests reported in one transaction. */
@Injectable()
export class ErrorBatchWriter {
  constructor(
    private readonly sql: Sql,
    private readonly settings: InstanceSettings,
    private readonly metrics: IngestMetrics,
  ) {}

  /**
   * What became of each event, in their order. Throws only when it is sure that nothing was
   * written, so that the events may be tried one by one; otherwise they have failed all together.
   */
  async write(items: readonly IngestItem[]): Promise<IngestOutcome[]> {
    this.metrics.batch(items.length);
    try {
      return await this.persist(items);
    } catch (error) {
      if (isUndone(error)) throw error;
      const told = codeOf(error) === CANCELLED ? new UnavailableError(RETRY_AFTER_SECONDS) : null;
      const failed = { kind: 'failed', error: told ?? databaseRefusal(error) ?? error } as const;
      return items.map(() => failed);
    }
  }

  private async persist(items: readonly IngestItem[], attempt = 1): Promise<IngestOutcome[]> {
    const { values } = this.settings;
    const sampling = {
      all: values.error_tracking_stored_events_per_error,
      interval: values.error_tracking_sampling_interval,
    };
    try {
      return await this.sql.transaction((rows) => writeItems(rows, items, sampling), {
        avoidsScans: true,
        isBrief: true,
      });
    } catch (error) {
      if (attempt === ATTEMPTS || !isTransient(error)) throw error;
      return this.persist(items, attempt + 1);
    }
  }
}

/**
 * The order of the tables is the order in which locks are taken: ids of events, projects with new
 * errors, errors, counters of outcomes.
 */
async function writeItems(
  rows: TransactionRows,
  items: readonly IngestItem[],
  sampling: Sampling,
): Promise<IngestOutcome[]> {
  const fresh = await newEvents(rows, items);
  if (fresh.length === 0) return items.map(() => ({ kind: 'duplicate' }));
  const groups = await groupsOf(rows, fresh, sampling);
  await countUsers(rows, groups);
  await updateErrors(rows, groups);
  await addTrends(rows, groups);
  await storeEvents(rows, groups);
  await countTags(rows, groups);
  await addOutcomes(rows, acceptedOf(fresh));
  const [counted, stored] = [new Set(fresh), new Set(groups.flatMap((group) => group.stored))];
  return items.map((item) => {
    if (!counted.has(item)) return { kind: 'duplicate' };
    return { kind: stored.has(item) ? 'stored' : 'counted' };
  });
}

async function groupsOf(
  rows: TransactionRows,
  items: readonly IngestItem[],
  sampling: Sampling,
): Promise<ErrorGroup[]> {
  const byError = await errorsOfEvents(rows, items);
  const locked = await lockErrors(rows, [...byError.keys()]);
  return [...locked].map(([id, error]) => sample(error, byError.get(id) ?? [], sampling));
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
  return error instanceof VanishedErrorError || TRANSIENT.has(codeOf(error));
}

function isUndone(error: unknown): boolean {
  return error instanceof VanishedErrorError || UNDONE.test(codeOf(error));
}

function codeOf(error: unknown): string {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
