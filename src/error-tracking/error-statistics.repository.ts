import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import { InputColumns } from '../core/ingest/ingest-queue.js';
import { Sql, type TransactionRows } from '../core/sql/sql.service.js';
import { ErrorTag } from './error-group.entity.js';

/** Events of a batch with the same value of an error's tag. */
export interface TaggedEvents {
  errorId: number;
  projectId: number;
  key: string;
  value: string;
  events: number;
  /** ISO 8601 in UTC, as all tags of an event have the same. */
  lastSeenAt: string;
}

const TAGS = new InputColumns<TaggedEvents>([
  ['error_id', 'bigint', ({ errorId }) => errorId],
  ['key', 'text', ({ key }) => key],
  ['value', 'text', ({ value }) => value],
  ['project_id', 'bigint', ({ projectId }) => projectId],
  ['events', 'bigint', ({ events }) => events],
  ['last_seen_at', 'timestamptz', ({ lastSeenAt }) => lastSeenAt],
]);

/** Mostly all of them exist: then there is one row to send instead of one for each. */
const UPDATE_TAGS_SQL = `
  WITH updated AS (
    UPDATE error_tags t SET events_count = t.events_count + n.events,
      last_seen_at = greatest(t.last_seen_at, n.last_seen_at)
    FROM ${TAGS.source} WHERE t.error_id = n.error_id AND t.key = n.key AND t.value = n.value
    RETURNING n.position
  )
  SELECT array(SELECT generate_series(1, cardinality($1::bigint[]))
    EXCEPT SELECT position FROM updated ORDER BY 1) AS missing`;

const COUNT_TAG_VALUES_SQL = `
  SELECT error_id AS "errorId", key, count(*)::int AS values FROM error_tags
  WHERE error_id = ANY($1) GROUP BY error_id, key`;

const INSERT_TAGS_SQL = `
  INSERT INTO error_tags (error_id, key, value, project_id, events_count, last_seen_at)
  SELECT n.error_id, n.key, n.value, n.project_id, n.events, n.last_seen_at FROM ${TAGS.source}`;

const HOUR_MS = 3_600_000;

/** Events of an error in one hour. */
export interface HourCount {
  errorId: number;
  /** Hours since 1970. */
  hour: number;
  events: number;
}

const HOURS = new InputColumns<HourCount>([
  ['error_id', 'bigint', ({ errorId }) => errorId],
  ['hour', 'timestamptz', ({ hour }) => new Date(hour * HOUR_MS).toISOString()],
  ['events', 'bigint', ({ events }) => events],
]);

const ADD_TRENDS_SQL = `
  INSERT INTO error_trends (error_id, hour, events_count)
  SELECT n.error_id, n.hour, n.events FROM ${HOURS.source}
  ON CONFLICT (error_id, hour)
    DO UPDATE SET events_count = error_trends.events_count + excluded.events_count`;

/** User affected by an error. */
export interface ErrorUserRow {
  errorId: number;
  userHash: Buffer;
}

const USERS = new InputColumns<ErrorUserRow>([
  ['error_id', 'bigint', ({ errorId }) => errorId],
  ['user_hash', 'bytea', ({ userHash }) => userHash],
]);

const INSERT_USERS_SQL = `
  INSERT INTO error_users (error_id, user_hash)
  SELECT n.error_id, n.user_hash FROM ${USERS.source}
  ON CONFLICT DO NOTHING
  RETURNING error_id AS "errorId"`;

/** A value of a tag with the number of its events. */
interface TagValue {
  value: string;
  count: number;
}

/** The values of a tag of an error; `total` counts the values that are not shown, too. */
export interface TagDistribution {
  key: string;
  total: number;
  values: TagValue[];
}

/** The most frequent values suffice: tags of ids have a value per event. */
const SHOWN_VALUES = 10;

const OFFERED_VALUES = 100;

const DISTRIBUTION_SQL = `
  SELECT key, sum(events_count)::bigint AS total,
    json_agg(json_build_object('value', value, 'count', events_count) ORDER BY position)
      FILTER (WHERE position <= ${SHOWN_VALUES}) AS "values"
  FROM (SELECT key, value, events_count,
      row_number() OVER (PARTITION BY key ORDER BY events_count DESC, value) AS position
    FROM error_tags WHERE error_id = $1) t
  GROUP BY key ORDER BY key`;

/** Steps from value to value through the index, however many errors have each. */
const TAG_VALUES_SQL = `
  WITH RECURSIVE names AS (
    (SELECT value FROM error_tags WHERE project_id = $1 AND key = $2 ORDER BY value LIMIT 1)
    UNION ALL
    SELECT (SELECT t.value FROM error_tags t
      WHERE t.project_id = $1 AND t.key = $2 AND t.value > n.value ORDER BY t.value LIMIT 1)
    FROM names n WHERE n.value IS NOT NULL
  )
  SELECT value FROM names WHERE value IS NOT NULL LIMIT ${OFFERED_VALUES}`;

/** Events of an error on one day (UTC), `YYYY-MM-DD`. */
export interface DayOfError {
  day: string;
  count: number;
}

/** Events of an error in one hour. */
interface HourOfError {
  errorId: number;
  hour: Date;
  count: number;
}

const HOURLY_SQL = `
  SELECT t.error_id AS "errorId", t.hour, t.events_count AS count FROM error_trends t
  WHERE t.error_id = ANY($1::bigint[]) AND t.hour >= $2`;

const DAILY_SQL = `
  SELECT to_char(t.hour AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, sum(t.events_count)::bigint AS count
  FROM error_trends t WHERE t.error_id = $1 AND t.hour >= $2 GROUP BY 1`;

/** The number of values that an error has of a key. */
export interface TagCount {
  errorId: number;
  key: string;
  values: number;
}

const DELETE_TRENDS_SQL = `
  DELETE FROM error_trends WHERE error_id > $1 AND error_id <= $2 AND hour < $3 RETURNING 1`;

/** Owns every statement about the tags, trends and affected users of errors. */
@Injectable()
export class ErrorStatisticsRepository extends Repository<ErrorTag> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
  ) {
    super(ErrorTag, dataSource.manager);
  }

  /** Returns the tags of an error by key, the most frequent values of each first. */
  listTags(errorId: number): Promise<TagDistribution[]> {
    return this.queries.rows<TagDistribution>(DISTRIBUTION_SQL, [errorId]);
  }

  /** Returns the values that errors of the project have of a tag, in order; at most 100. */
  async listTagValues(projectId: number, key: string): Promise<string[]> {
    const rows = await this.queries.rows<{ value: string }>(TAG_VALUES_SQL, [projectId, key]);
    return rows.map(({ value }) => value);
  }

  /** Returns the events of errors by hour since `first`. */
  listHours(ids: readonly number[], first: Date): Promise<HourOfError[]> {
    return this.queries.rows<HourOfError>(HOURLY_SQL, [ids, first]);
  }

  /** Returns the events of an error by day (UTC) since `first`. */
  listDays(id: number, first: Date): Promise<DayOfError[]> {
    return this.queries.rows<DayOfError>(DAILY_SQL, [id, first]);
  }

  /** Adds events to existing tags; returns the others. */
  async updateTags(rows: TransactionRows, tags: readonly TaggedEvents[]): Promise<TaggedEvents[]> {
    const [row] = await rows<{ missing: number[] }>(UPDATE_TAGS_SQL, TAGS.values(tags));
    const missing = row?.missing ?? [];
    return missing.map((position) => tags[position - 1] as TaggedEvents);
  }

  /** Counts the values of each key of the errors. */
  countTagValues(rows: TransactionRows, errorIds: readonly number[]): Promise<TagCount[]> {
    return rows<TagCount>(COUNT_TAG_VALUES_SQL, [errorIds]);
  }

  /** Inserts tags that are new. */
  async insertTags(rows: TransactionRows, tags: readonly TaggedEvents[]): Promise<void> {
    await rows(INSERT_TAGS_SQL, TAGS.values(tags));
  }

  /** Adds events to the hours of their errors. */
  async addTrends(rows: TransactionRows, hours: readonly HourCount[]): Promise<void> {
    await rows(ADD_TRENDS_SQL, HOURS.values(hours));
  }

  /** Inserts newly affected users; returns the ID of the error for each of them. */
  async insertUsers(rows: TransactionRows, users: readonly ErrorUserRow[]): Promise<number[]> {
    const inserted = await rows<{ errorId: number }>(INSERT_USERS_SQL, USERS.values(users));
    return inserted.map(({ errorId }) => errorId);
  }

  /** Deletes the trends from before the time of errors with an id in `(from, last]`. */
  async deleteTrends(
    { from, last }: { from: number; last: number },
    before: Date,
  ): Promise<number> {
    return (await this.queries.rows(DELETE_TRENDS_SQL, [from, last, before])).length;
  }
}
