import { InputColumns } from '../../core/ingest/ingest-queue.js';
import { ERROR_LEVELS, utcDay } from '../error-values.js';
import type { GroupedEvents, IngestItem } from '../ingest/grouped-events.js';

/** Arrays keep their order: the locks are taken in the order of the projects. */
export const LOCK_PROJECTS_SQL = 'SELECT pg_advisory_xact_lock(k) FROM unnest($1::bigint[]) AS k';

export const NEXT_IDS_SQL = `
  SELECT nextval(pg_get_serial_sequence('errors', 'id')) AS id FROM generate_series(1, $1::int)`;

/** An error with its first event, which is counted later. */
export interface NewGroup extends IngestItem {
  id: number;
}

export const ERRORS = new InputColumns<NewGroup>([
  ['id', 'bigint', ({ id }) => id],
  ['project_id', 'bigint', ({ source }) => source.projectId],
  ['type', 'text', ({ event }) => event.type],
  ['value', 'text', ({ event }) => event.value],
  ['culprit', 'text', ({ event }) => event.culprit],
  ['platform', 'text', ({ event }) => event.platform],
  ['logger', 'text', ({ event }) => event.logger],
  ['level', 'smallint', ({ event }) => ERROR_LEVELS.indexOf(event.level)],
  ['is_unhandled', 'boolean', ({ event }) => event.isUnhandled],
  ['first_seen_at', 'timestamptz', ({ event }) => event.occurredAt.toISOString()],
  ['last_seen_at', 'timestamptz', ({ event }) => event.occurredAt.toISOString()],
  ['first_release', 'text', ({ event }) => event.release],
  ['last_release', 'text', ({ event }) => event.release],
  ['search_text', 'text', ({ event }) => event.searchText],
  ['sampled_day', 'date', ({ event }) => utcDay(event.receivedAt)],
]);

export const INSERT_SQL = `
  INSERT INTO errors (${ERRORS.names.join(', ')}, events_count, sampled_count)
  SELECT ${ERRORS.names.map((name) => `n.${name}`).join(', ')}, 0, 0 FROM ${ERRORS.source}`;

/** A group with its newest and its oldest event. */
export interface GroupSummary extends GroupedEvents {
  /** Status with these events. */
  status: number;
  regresses: boolean;
  newest: IngestItem;
  oldest: IngestItem;
}

export const SUMMARIES = new InputColumns<GroupSummary>([
  ['id', 'bigint', ({ error }) => error.id],
  ['events', 'bigint', ({ items }) => items.length],
  ['users', 'int', ({ newUsers }) => newUsers],
  ['status', 'smallint', ({ status }) => status],
  ['regresses', 'boolean', ({ regresses }) => regresses],
  ['day', 'date', ({ day }) => day],
  ['day_count', 'int', ({ dayCount }) => dayCount],
  ['first_seen_at', 'timestamptz', ({ oldest }) => oldest.event.occurredAt.toISOString()],
  ['first_release', 'text', ({ oldest }) => oldest.event.release],
  ['last_seen_at', 'timestamptz', ({ newest }) => newest.event.occurredAt.toISOString()],
  ['received_at', 'timestamptz', ({ newest }) => newest.event.receivedAt.toISOString()],
  ['type', 'text', ({ newest }) => newest.event.type],
  ['value', 'text', ({ newest }) => newest.event.value],
  ['culprit', 'text', ({ newest }) => newest.event.culprit],
  ['platform', 'text', ({ newest }) => newest.event.platform],
  ['logger', 'text', ({ newest }) => newest.event.logger],
  ['level', 'smallint', ({ newest }) => ERROR_LEVELS.indexOf(newest.event.level)],
  ['is_unhandled', 'boolean', ({ newest }) => newest.event.isUnhandled],
  ['last_release', 'text', ({ newest }) => newest.event.release],
  ['search_text', 'text', ({ newest }) => newest.event.searchText],
]);

/** Columns that an error takes from its newest event, by the clocks of the programs. */
export const OF_NEWEST = [
  'type',
  'value',
  'culprit',
  'platform',
  'logger',
  'level',
  'is_unhandled',
  'last_release',
  'search_text',
];

const IS_NEWEST = 'n.last_seen_at >= e.last_seen_at';

/** Many messages name another order or user each time, and a changed text is indexed again. */
const STARTS_MINUTE = `date_trunc('minute', n.last_seen_at) > date_trunc('minute', e.last_seen_at)`;

const SET_NEWEST = OF_NEWEST.map((name) => {
  const decides = name === 'search_text' ? STARTS_MINUTE : IS_NEWEST;
  return `${name} = CASE WHEN ${decides} THEN n.${name} ELSE e.${name} END`;
});

/** Range of time, and what the newest and the oldest event decide. */
const SEEN = `
    first_release = CASE WHEN n.first_seen_at < e.first_seen_at THEN n.first_release
      ELSE e.first_release END,
    first_seen_at = least(e.first_seen_at, n.first_seen_at),
    last_seen_at = greatest(e.last_seen_at, n.last_seen_at),
    ${SET_NEWEST.join(',\n    ')}`;

/** A condition of the status ends with it. */
function endsWithStatus(name: string): string {
  return `${name} = CASE WHEN n.status = e.status THEN e.${name} END`;
}

export const UPDATE_SQL = `
  UPDATE errors e SET
    events_count = e.events_count + n.events,
    users_count = e.users_count + n.users,
    sampled_day = n.day,
    sampled_count = n.day_count,
    ${SEEN},
    status = n.status,
    regressed_at = CASE WHEN n.regresses THEN n.received_at ELSE e.regressed_at END,
    ${['resolved_release', 'ignored_until', 'ignored_until_count'].map(endsWithStatus).join(',\n    ')},
    updated_at = CASE WHEN n.status <> e.status THEN now() ELSE e.updated_at END
  FROM ${SUMMARIES.source} WHERE e.id = n.id`;

/** The same for the own values of errors that others are merged into. */
export const OWN_UPDATE_SQL = `
  UPDATE error_own_values e SET ${SEEN} FROM ${SUMMARIES.source} WHERE e.error_id = n.id`;

/** In the order of the ids, as everywhere: batches never wait for each other crosswise. */
export const LOCK_SQL = `
  SELECT id, users_count AS "usersCount", sampled_day AS "sampledDay",
    sampled_count AS "sampledCount", status, status_changed_at AS "statusChangedAt",
    resolved_release AS "resolvedRelease", ignored_until AS "ignoredUntil",
    ignored_until_count AS "ignoredUntilCount", events_count AS "eventsCount",
    merged_into_id AS "mergedIntoId",
    has_merged AS "hasMerged"
  FROM errors WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE`;
