import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import { NotFoundError } from '../../core/errors.js';
import { InputColumns } from '../../core/ingest/ingest-queue.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Sql, type TransactionRows } from '../../core/sql/sql.service.js';
import { ErrorEvent, PAYLOAD_ENCODINGS } from '../error-event.entity.js';
import type { IngestItem } from '../ingest/grouped-events.js';
import {
  ENDS_SQL,
  ENSURE_PARTITION_SQL,
  KEEP_SQL,
  MISSING_PARTITIONS_SQL,
  OLD_PARTITIONS_SQL,
  RELEASE_SQL,
} from '../sql/error-retention.js';
import {
  LISTED_COLUMNS,
  STORED_COLUMNS,
  type EventsOwner,
  type ListedEvent,
  type StoredEvent,
} from './stored-event.js';
import { ERROR_LEVELS, utcDay } from '../error-values.js';

/** An event with the error that it belongs to. */
type StoredItem = IngestItem & { errorId: number };

const EVENT_IDS = new InputColumns<IngestItem>([
  ['day', 'date', ({ event }) => utcDay(event.receivedAt)],
  ['project_id', 'bigint', ({ source }) => source.projectId],
  ['event_id', 'uuid', ({ event }) => event.eventId],
]);

/** In order, as everywhere: two batches with common ids never wait for each other crosswise. */
const INSERT_IDS_SQL = `
  INSERT INTO error_event_ids (day, project_id, event_id)
  SELECT n.day, n.project_id, n.event_id FROM ${EVENT_IDS.source}
  WHERE NOT EXISTS (SELECT FROM error_event_ids k
    WHERE k.day = n.day - 1 AND k.project_id = n.project_id AND k.event_id = n.event_id)
  ORDER BY n.project_id, n.event_id
  ON CONFLICT DO NOTHING
  RETURNING project_id AS "projectId", replace(event_id::text, '-', '') AS "eventId"`;

const EVENTS = new InputColumns<StoredItem>([
  ['expires_on', 'date', ({ source, event }) => utcDay(event.receivedAt, source.retentionDays)],
  ['project_id', 'bigint', ({ source }) => source.projectId],
  ['error_id', 'bigint', ({ errorId }) => errorId],
  ['event_id', 'uuid', ({ event }) => event.eventId],
  ['received_at', 'timestamptz', ({ event }) => event.receivedAt.toISOString()],
  ['occurred_at', 'timestamptz', ({ event }) => event.occurredAt.toISOString()],
  ['level', 'smallint', ({ event }) => ERROR_LEVELS.indexOf(event.level)],
  ['title', 'text', ({ event }) => event.title],
  ['environment', 'text', ({ event }) => event.environment],
  ['release', 'text', ({ event }) => event.release],
  ['user_label', 'text', ({ event }) => event.userLabel],
  ['client_address', 'text', ({ event }) => event.clientAddress],
  ['payload', 'bytea', ({ event }) => event.payload.bytes],
  [
    'payload_encoding',
    'smallint',
    ({ event }) => PAYLOAD_ENCODINGS.indexOf(event.payload.encoding),
  ],
  ['is_envelope', 'boolean', ({ event }) => event.payload.isEnvelope],
]);

/** Numbers the events of an error in the order of arrival. */
const INSERT_EVENTS_SQL = `
  INSERT INTO error_events (${EVENTS.names.join(', ')})
  SELECT ${EVENTS.names.map((name) => `n.${name}`).join(', ')} FROM ${EVENTS.source}
  ORDER BY n.position`;

/** Which event of an error is meant: its newest, its oldest, or the one with that id. */
export type EventRef = 'latest' | 'oldest' | (string & {});

/** The events before and after one of the same error, 32 lowercase hex each. */
export interface EventNeighbours {
  older: string | null;
  newer: string | null;
}

/** An event id that a batch inserted. */
export interface InsertedId {
  projectId: number;
  eventId: string;
}

/** The first and the newest event of an error. */
interface EventEnds {
  errorId: number;
  ends: number[];
}

/** Tables that have a partition for each day, by the column that holds the day. */
const DAILY_TABLES = { error_events: 'expires_on', error_event_ids: 'day' } as const;
type DailyTable = keyof typeof DAILY_TABLES;

/** A partition: a table and a day (UTC), `YYYY-MM-DD`. */
export interface DayOfTable {
  table: DailyTable;
  day: string;
}

const ENDS: ReadonlyMap<string, string> = new Map([
  ['latest', 'DESC'],
  ['oldest', 'ASC'],
]);

/** One error is read in the order of the index; several have to be sorted. */
function ofError({ id, projectId, mergedIds }: EventsOwner): { where: string; values: unknown[] } {
  return mergedIds.length === 0
    ? { where: 'v.error_id = $1 AND v.project_id = $2', values: [id, projectId] }
    : {
        where: 'v.error_id = ANY($1::bigint[]) AND v.project_id = $2',
        values: [[id, ...mergedIds], projectId],
      };
}

const neighboursSql = (where: string): string => `
  SELECT
    (SELECT replace(v.event_id::text, '-', '') FROM error_events v
     WHERE ${where} AND v.id < $3 ORDER BY v.id DESC LIMIT 1) AS older,
    (SELECT replace(v.event_id::text, '-', '') FROM error_events v
     WHERE ${where} AND v.id > $3 ORDER BY v.id LIMIT 1) AS newer`;

const OF_PROJECT_SQL = `
  SELECT ${STORED_COLUMNS} FROM error_events v
  WHERE v.project_id = $1 AND v.event_id = $2 ORDER BY v.id DESC LIMIT 1`;

/** Owns every statement about stored events, ids of events, and their daily partitions. */
@Injectable()
export class ErrorEventsRepository extends Repository<ErrorEvent> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(ErrorEvent, dataSource.manager);
  }

  /** Returns one page of an error's events, latest first. */
  page(owner: EventsOwner, paging: Paging): Promise<Page<ListedEvent>> {
    return this.queries.page<ListedEvent>(
      {
        select: LISTED_COLUMNS,
        from: 'error_events v',
        ...ofError(owner),
        orderBy: 'v.id DESC',
      },
      paging,
    );
  }

  /** Returns one event of an error; throws NotFoundError, for deleted ones, too. */
  async get(owner: EventsOwner, ref: EventRef): Promise<StoredEvent> {
    const { where, values: own } = ofError(owner);
    const direction = ENDS.get(ref);
    const which =
      direction === undefined
        ? 'AND v.event_id = $3 ORDER BY v.id DESC'
        : `ORDER BY v.id ${direction}`;
    const values = direction === undefined ? [...own, parseEventId(ref)] : own;
    return found(
      await this.queries.row<StoredEvent>(
        `SELECT ${STORED_COLUMNS} FROM error_events v WHERE ${where} ${which} LIMIT 1`,
        values,
      ),
    );
  }

  /** Returns the event with that id in the project; throws NotFoundError. */
  async findInProject(projectId: number, eventId: string): Promise<StoredEvent> {
    return found(
      await this.queries.row<StoredEvent>(OF_PROJECT_SQL, [projectId, parseEventId(eventId)]),
    );
  }

  /** Returns the events before and after the one with that `id` (not `eventId`). */
  async findNeighbours(owner: EventsOwner, eventRowId: number): Promise<EventNeighbours> {
    const { where, values } = ofError(owner);
    const text = neighboursSql(where);
    const row = await this.queries.row<EventNeighbours>(text, [...values, eventRowId]);
    return row ?? { older: null, newer: null };
  }

  /** Inserts the IDs that are new today and yesterday; returns these. */
  insertIds(rows: TransactionRows, items: readonly IngestItem[]): Promise<InsertedId[]> {
    return rows<InsertedId>(INSERT_IDS_SQL, EVENT_IDS.values(items));
  }

  /** Inserts events in the order of arrival. */
  async insertAll(rows: TransactionRows, items: readonly StoredItem[]): Promise<void> {
    await rows(INSERT_EVENTS_SQL, EVENTS.values(items));
  }

  /** Returns the next errors after an id that have events expiring on the day. */
  listEnds(rows: TransactionRows, day: string, after: number): Promise<EventEnds[]> {
    return rows<EventEnds>(ENDS_SQL, [day, after]);
  }

  /** Keeps those of the events that expire on the day forever; returns their number. */
  async keep(rows: TransactionRows, day: string, ids: readonly number[]): Promise<number> {
    return (await rows(KEEP_SQL, [day, ids])).length;
  }

  /** Deletes stored events of the errors that are no longer among `ends`. */
  async deleteReleased(
    rows: TransactionRows,
    errorIds: readonly number[],
    ends: readonly number[],
  ): Promise<void> {
    await rows(RELEASE_SQL, [errorIds, ends]);
  }

  /** Returns the days that lack a partition; `usualDays` is the retention of the instance. */
  listMissingPartitions(now: Date, usualDays: number): Promise<DayOfTable[]> {
    return this.queries.rows<DayOfTable>(MISSING_PARTITIONS_SQL, [now, usualDays]);
  }

  /** Creates a partition and moves the rows from the default partition that belong to it. */
  async ensurePartition(rows: TransactionRows, { table, day }: DayOfTable): Promise<void> {
    await rows(ENSURE_PARTITION_SQL, [table, DAILY_TABLES[table], day]);
  }

  /** Returns the days before the given one that have a partition, oldest first. */
  async listPartitions(table: DailyTable, before: string): Promise<string[]> {
    const rows = await this.queries.rows<{ day: string }>(OLD_PARTITIONS_SQL, [table, before]);
    return rows.map((row) => row.day);
  }

  /** Drops a partition with its rows. */
  async dropPartition(rows: TransactionRows, { table, day }: DayOfTable): Promise<void> {
    await rows(`DROP TABLE IF EXISTS "${table}_${day.replaceAll('-', '')}"`);
  }
}

const EVENT_ID = /^[0-9a-f]{8}(-?)(?:[0-9a-f]{4}\1){3}[0-9a-f]{12}$/i;

/** Accepts an event ID with or without dashes; throws NotFoundError for any other text. */
function parseEventId(ref: string): string {
  if (!EVENT_ID.test(ref)) throw new NotFoundError('Event');
  return ref;
}

function found(event: StoredEvent | null): StoredEvent {
  if (event === null) throw new NotFoundError('Event');
  return event;
}
