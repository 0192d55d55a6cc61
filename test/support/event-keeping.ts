import { Clock } from '../../src/core/clock.js';
import { InstanceSettings } from '../../src/core/settings/instance-settings.service.js';
import { Sql } from '../../src/core/sql/sql.service.js';
import { AnonymizedAuthorsRepository } from '../../src/events/worker/anonymized-authors.repository.js';
import { AnonymizedAuthors } from '../../src/events/worker/anonymized-authors.service.js';
import { EventRetentionRepository } from '../../src/events/worker/event-retention.repository.js';
import {
  EventAge,
  EventPartitions,
  EventPruning,
} from '../../src/events/worker/event-retention.service.js';
import type { TestApp } from './app.js';

/** Retention of events as in a worker, without its periodic tasks. */
export interface EventKeeping {
  partitions: EventPartitions;
  pruning: EventPruning;
  anonymizedAuthors: AnonymizedAuthors;
}

/** One worker's; call it again for another worker's. */
export function eventKeeping(
  { app, dataSource }: Pick<TestApp, 'app' | 'dataSource'>,
  clock = new Clock(),
): EventKeeping {
  const sql = app.get(Sql);
  const age = new EventAge(clock, app.get(InstanceSettings));
  const events = new EventRetentionRepository(dataSource, sql);
  return {
    partitions: new EventPartitions(events, clock, age),
    pruning: new EventPruning(events, clock, age),
    anonymizedAuthors: new AnonymizedAuthors(
      sql,
      new AnonymizedAuthorsRepository(dataSource, sql),
      clock,
    ),
  };
}

/** Names of the monthly partitions, in order. */
export async function monthlyPartitions({
  dataSource,
}: Pick<TestApp, 'dataSource'>): Promise<string[]> {
  const rows = await dataSource.query<{ name: string }[]>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'events'::regclass AND c.relname <> 'events_default' ORDER BY c.relname`,
  );
  return rows.map(({ name }) => name);
}

/** `events_202611`, for the month that many months from this one. */
export function partitionOfMonth(offset: number, now = new Date()): string {
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1));
  return `events_${month.toISOString().slice(0, 7).replace('-', '')}`;
}
