import { InputColumns } from '../ingest/input-columns.js';

/** Events of a batch with the same value of an error's tag. */
export interface TaggedEvents {
  errorId: number;
  projectId: number;
  key: string;
  value: string;
  events: number;
  lastSeenAt: Date;
}

export const TAGS = new InputColumns<TaggedEvents>([
  ['error_id', 'bigint', ({ errorId }) => errorId],
  ['key', 'text', ({ key }) => key],
  ['value', 'text', ({ value }) => value],
  ['project_id', 'bigint', ({ projectId }) => projectId],
  ['events', 'bigint', ({ events }) => events],
  ['last_seen_at', 'timestamptz', ({ lastSeenAt }) => lastSeenAt.toISOString()],
]);

export const UPDATE_TAGS_SQL = `
  UPDATE error_tags t SET events_count = t.events_count + n.events,
    last_seen_at = greatest(t.last_seen_at, n.last_seen_at)
  FROM ${TAGS.source} WHERE t.error_id = n.error_id AND t.key = n.key AND t.value = n.value
  RETURNING n.place`;

export const COUNT_TAG_VALUES_SQL = `
  SELECT error_id AS "errorId", key, count(*)::int AS values FROM error_tags
  WHERE error_id = ANY($1) GROUP BY error_id, key`;

export const INSERT_TAGS_SQL = `
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

export const HOURS = new InputColumns<HourCount>([
  ['error_id', 'bigint', ({ errorId }) => errorId],
  ['hour', 'timestamptz', ({ hour }) => new Date(hour * HOUR_MS).toISOString()],
  ['events', 'bigint', ({ events }) => events],
]);

export const ADD_TRENDS_SQL = `
  INSERT INTO error_trends (error_id, hour, events_count)
  SELECT n.error_id, n.hour, n.events FROM ${HOURS.source}
  ON CONFLICT (error_id, hour)
    DO UPDATE SET events_count = error_trends.events_count + excluded.events_count`;

/** User affected by an error. */
export interface ErrorUserRow {
  errorId: number;
  userHash: Buffer;
}

export const USERS = new InputColumns<ErrorUserRow>([
  ['error_id', 'bigint', ({ errorId }) => errorId],
  ['user_hash', 'bytea', ({ userHash }) => userHash],
]);

export const INSERT_USERS_SQL = `
  INSERT INTO error_users (error_id, user_hash)
  SELECT n.error_id, n.user_hash FROM ${USERS.source}
  ON CONFLICT DO NOTHING
  RETURNING error_id AS "errorId"`;
