import type { TransactionRows } from '../../core/sql/sql.service.js';
import type { ErrorGroup } from './error-group.js';
import { InputColumns } from './input-columns.js';
import { TagRoom, type TagCount } from './tag-room.js';

/** What a batch tells of one value of an error's tag. */
export interface TaggedEvents {
  errorId: number;
  projectId: number;
  key: string;
  value: string;
  events: number;
  lastSeenAt: Date;
}

const TAGS = new InputColumns<TaggedEvents>([
  ['error_id', 'bigint', ({ errorId }) => errorId],
  ['key', 'text', ({ key }) => key],
  ['value', 'text', ({ value }) => value],
  ['project_id', 'bigint', ({ projectId }) => projectId],
  ['events', 'bigint', ({ events }) => events],
  ['last_seen_at', 'timestamptz', ({ lastSeenAt }) => lastSeenAt.toISOString()],
]);

const UPDATE_SQL = `
  UPDATE error_tags t SET events_count = t.events_count + n.events,
    last_seen_at = greatest(t.last_seen_at, n.last_seen_at)
  FROM ${TAGS.source} WHERE t.error_id = n.error_id AND t.key = n.key AND t.value = n.value
  RETURNING n.place`;

const COUNT_SQL = `
  SELECT error_id AS "errorId", key, count(*)::int AS values FROM error_tags
  WHERE error_id = ANY($1) GROUP BY error_id, key`;

const INSERT_SQL = `
  INSERT INTO error_tags (error_id, key, value, project_id, events_count, last_seen_at)
  SELECT n.error_id, n.key, n.value, n.project_id, n.events, n.last_seen_at FROM ${TAGS.source}`;

/**
 * Counts the tags of stored events of locked errors. An error has room for so many keys, and each
 * for so many values: what comes when it is full is not counted.
 */
export async function countTags(
  rows: TransactionRows,
  groups: readonly ErrorGroup[],
): Promise<void> {
  const tags = groups.flatMap(tagsOf);
  if (tags.length === 0) return;
  const updated = await rows<{ place: number }>(UPDATE_SQL, TAGS.values(tags));
  const known = new Set(updated.map(({ place }) => place));
  const unknown = tags.filter((_, at) => !known.has(at + 1));
  if (unknown.length === 0) return;
  const errorIds = [...new Set(unknown.map(({ errorId }) => errorId))];
  const room = new TagRoom(await rows<TagCount>(COUNT_SQL, [errorIds]));
  const fitting = unknown.filter((tag) => room.takes(tag));
  if (fitting.length > 0) await rows(INSERT_SQL, TAGS.values(fitting));
}

function tagsOf({ error, projectId, stored }: ErrorGroup): TaggedEvents[] {
  const tags = new Map<string, TaggedEvents>();
  for (const { event } of stored) {
    for (const [key, value] of event.tags) {
      const name = `${key}\n${value}`;
      const lastSeenAt = event.occurredAt;
      const known = tags.get(name);
      if (known === undefined) {
        tags.set(name, { errorId: error.id, projectId, key, value, events: 1, lastSeenAt });
        continue;
      }
      known.events += 1;
      if (lastSeenAt > known.lastSeenAt) known.lastSeenAt = lastSeenAt;
    }
  }
  return [...tags.values()];
}
