import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { queryPrepared } from '../sql/pg-driver.js';
import {
  Event,
  EVENT_ACTIONS,
  EVENT_NOTEABLES,
  EVENT_TARGETS,
  PUSH_ACTIONS,
  REF_TYPES,
  type NewEvent,
} from './event.entity.js';

/** The name and type of a column, and its value for an event. */
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
const VALUES = COLUMNS.map((_, index) => `$${index + 1}`).join(', ');
const ARRAYS = COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ');

/** Nearly all events come alone, and arrays of one value take PostgreSQL longer than the insertion. */
const INSERT_ONE_SQL = `INSERT INTO events (${NAMES}) VALUES (${VALUES})`;

/** Values: an array for each column. */
const INSERT_SQL = `
  INSERT INTO events (${NAMES})
  SELECT ${NAMES} FROM unnest(${ARRAYS}) WITH ORDINALITY AS e (${NAMES}, position)
  ORDER BY position`;

/**
 * Skips locked rows: they are being changed, and waiting for a row so late in a transaction invites
 * deadlocks. The sum keeps the index of all projects by their activity out of the plan.
 */
const TOUCH_SQL = `
  UPDATE projects SET last_activity_at = now() WHERE id IN (
    SELECT id FROM projects
    WHERE id = ANY($1) AND last_activity_at + interval '1 hour' < now()
    ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)`;

/** Owns every statement that writes events; `VisibleEventsRepository` lists them. */
@Injectable()
export class EventsRepository extends Repository<Event> {
  constructor(dataSource: DataSource) {
    super(Event, dataSource.manager);
  }

  /** Records events in the order given. */
  async record(manager: EntityManager, events: readonly NewEvent[]): Promise<void> {
    const [first] = events;
    if (first !== undefined && events.length === 1) {
      const values = COLUMNS.map(([, , value]) => value(first) ?? null);
      await queryPrepared(manager, { name: 'record-event', text: INSERT_ONE_SQL, values });
      return;
    }
    const values = COLUMNS.map(([, , value]) => events.map((event) => value(event) ?? null));
    await queryPrepared(manager, { name: 'record-events', text: INSERT_SQL, values });
  }

  /** Updates `last_activity_at` of projects where it is older than an hour. */
  async touchProjects(manager: EntityManager, ids: readonly number[]): Promise<void> {
    await manager.query(TOUCH_SQL, [ids]);
  }

  /**
   * Returns false for a project that is gone, and keeps it otherwise until the transaction ends: its
   * events are deleted with it by a trigger, later ones would stay.
   */
  async lockProject(manager: EntityManager, id: number): Promise<boolean> {
    const rows = await manager.query<object[]>(
      'SELECT 1 FROM projects WHERE id = $1 FOR KEY SHARE',
      [id],
    );
    return rows.length > 0;
  }
}
