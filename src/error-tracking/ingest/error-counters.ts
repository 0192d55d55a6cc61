import type { TransactionRows } from '../../core/sql/sql.service.js';
import { ERROR_LEVELS, ERROR_STATUS } from '../error-values.js';
import { newestOf, oldestOf, type ErrorGroup } from './error-group.js';
import type { IngestItem } from './ingest-item.js';
import { InputColumns } from './input-columns.js';

/** A group with the events that say most about its error. */
interface Summary extends ErrorGroup {
  newest: IngestItem;
  oldest: IngestItem;
}

const SUMMARIES = new InputColumns<Summary>([
  ['id', 'bigint', ({ error }) => error.id],
  ['events', 'bigint', ({ items }) => items.length],
  ['users', 'int', ({ newUsers }) => newUsers],
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

/** What an error has of its newest event, by the clocks of the programs. */
const OF_NEWEST = [
  'type',
  'value',
  'culprit',
  'platform',
  'logger',
  'level',
  'is_unhandled',
  'last_release',
  'search_text',
].map(
  (name) =>
    `${name} = CASE WHEN n.last_seen_at >= e.last_seen_at THEN n.${name} ELSE e.${name} END`,
);

/** Events that were on their way when somebody resolved it do not reopen an error. */
const REOPENS = `e.status = ${ERROR_STATUS.resolved}
  AND n.last_seen_at > coalesce(e.status_changed_at, '-infinity')`;

const UPDATE_SQL = `
  UPDATE errors e SET
    events_count = e.events_count + n.events,
    users_count = e.users_count + n.users,
    sampled_day = n.day,
    sampled_count = n.day_count,
    first_release = CASE WHEN n.first_seen_at < e.first_seen_at THEN n.first_release
      ELSE e.first_release END,
    first_seen_at = least(e.first_seen_at, n.first_seen_at),
    last_seen_at = greatest(e.last_seen_at, n.last_seen_at),
    ${OF_NEWEST.join(',\n    ')},
    status = CASE WHEN ${REOPENS} THEN ${ERROR_STATUS.unresolved} ELSE e.status END,
    regressed_at = CASE WHEN ${REOPENS} THEN n.received_at ELSE e.regressed_at END,
    updated_at = CASE WHEN ${REOPENS} THEN now() ELSE e.updated_at END
  FROM ${SUMMARIES.source} WHERE e.id = n.id`;

/** Counts the events of locked errors. A resolved error that happened again is unresolved. */
export async function updateErrors(
  rows: TransactionRows,
  groups: readonly ErrorGroup[],
): Promise<void> {
  const summaries = groups.map((group) => ({
    ...group,
    newest: newestOf(group),
    oldest: oldestOf(group),
  }));
  await rows(UPDATE_SQL, SUMMARIES.values(summaries));
}
