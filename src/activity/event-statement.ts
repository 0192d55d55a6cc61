import {
  EVENT_ACTIONS,
  EVENT_NOTEABLES,
  EVENT_TARGETS,
  PUSH_ACTIONS,
  REF_TYPES,
} from './event-kinds.js';
import type { NewEvent } from './new-event.js';

/** Column, its type, and the value that an event has there. */
type Column = readonly [name: string, type: string, value: (event: NewEvent) => unknown];

const COLUMNS: readonly Column[] = [
  ['project_id', 'bigint', ({ projectId }) => projectId],
  ['author_id', 'bigint', ({ authorId }) => authorId],
  ['action', 'smallint', ({ action }) => EVENT_ACTIONS[action]],
  ['target_type', 'smallint', ({ target }) => (target ? EVENT_TARGETS[target.type] : null)],
  ['target_id', 'bigint', ({ target }) => target?.id ?? null],
  ['noteable_type', 'smallint', ({ noteable }) => noteable && EVENT_NOTEABLES[noteable.type]],
  ['noteable_id', 'bigint', ({ noteable }) => noteable?.id ?? null],
  ['push_action', 'smallint', ({ push }) => push && PUSH_ACTIONS[push.action]],
  ['ref_type', 'smallint', ({ push }) => push && REF_TYPES[push.refType]],
  ['ref', 'text', ({ push }) => push?.ref ?? null],
  ['commit_from', 'text', ({ push }) => push?.commitFrom ?? null],
  ['commit_to', 'text', ({ push }) => push?.commitTo ?? null],
  ['commit_count', 'integer', ({ push }) => push?.commitCount ?? null],
  ['commit_title', 'text', ({ push }) => push?.commitTitle ?? null],
  ['ref_count', 'integer', ({ push }) => push?.refCount ?? null],
];

const NAMES = COLUMNS.map(([name]) => name).join(', ');
const ARRAYS = COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ');

/** Writes events in their order; one array of values for each column. */
export const EVENTS_SQL = `
  INSERT INTO events (${NAMES})
  SELECT ${NAMES} FROM unnest(${ARRAYS}) WITH ORDINALITY AS e (${NAMES}, position)
  ORDER BY position`;

/** The values of EVENTS_SQL. */
export function eventValues(events: readonly NewEvent[]): unknown[][] {
  return COLUMNS.map(([, , value]) => events.map((event) => value(event) ?? null));
}
