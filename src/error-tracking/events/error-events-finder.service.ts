import { Injectable } from '@nestjs/common';
import { NotFoundError } from '../../core/errors.js';
import type { Page } from '../../core/pagination/page.js';
import type { Paging } from '../../core/pagination/paging.decorator.js';
import { Sql } from '../../core/sql/sql.service.js';
import {
  LISTED_COLUMNS,
  STORED_COLUMNS,
  type EventsOwner,
  type ListedEvent,
  type StoredEvent,
} from './stored-event.js';

/** Which event of an error is meant: its newest, its oldest, or the one with that id. */
export type EventRef = 'latest' | 'oldest' | (string & {});

/** The events before and after one of the same error, 32 lowercase hex each. */
export interface EventNeighbours {
  older: string | null;
  newer: string | null;
}

const ENDS: ReadonlyMap<string, string> = new Map([
  ['latest', 'DESC'],
  ['oldest', 'ASC'],
]);

const OF_ERROR = 'v.error_id = $1 AND v.project_id = $2';

const NEIGHBOURS_SQL = `
  SELECT
    (SELECT replace(v.event_id::text, '-', '') FROM error_events v
     WHERE ${OF_ERROR} AND v.id < $3 ORDER BY v.id DESC LIMIT 1) AS older,
    (SELECT replace(v.event_id::text, '-', '') FROM error_events v
     WHERE ${OF_ERROR} AND v.id > $3 ORDER BY v.id LIMIT 1) AS newer`;

const OF_PROJECT_SQL = `
  SELECT ${STORED_COLUMNS} FROM error_events v
  WHERE v.project_id = $1 AND v.event_id = $2 ORDER BY v.id DESC LIMIT 1`;

/** Reads stored events for who may read the errors of their project, which the caller has decided. */
@Injectable()
export class ErrorEventsFinder {
  constructor(private readonly sql: Sql) {}

  /** The events of an error, those that came last first. */
  page({ id, projectId }: EventsOwner, paging: Paging): Promise<Page<ListedEvent>> {
    return this.sql.page<ListedEvent>(
      {
        select: LISTED_COLUMNS,
        from: 'error_events v',
        where: OF_ERROR,
        orderBy: 'v.id DESC',
        values: [id, projectId],
      },
      paging,
    );
  }

  /** One event of an error; 404 when there is none, or none any more. */
  async get({ id, projectId }: EventsOwner, ref: EventRef): Promise<StoredEvent> {
    const direction = ENDS.get(ref);
    const which =
      direction === undefined
        ? 'AND v.event_id = $3 ORDER BY v.id DESC'
        : `ORDER BY v.id ${direction}`;
    const values = direction === undefined ? [id, projectId, eventIdOf(ref)] : [id, projectId];
    return found(
      await this.sql.row<StoredEvent>(
        `SELECT ${STORED_COLUMNS} FROM error_events v WHERE ${OF_ERROR} ${which} LIMIT 1`,
        values,
      ),
    );
  }

  /** The event with that id, whichever error of the project it is of; 404 when there is none. */
  async ofProject(projectId: number, eventId: string): Promise<StoredEvent> {
    return found(await this.sql.row<StoredEvent>(OF_PROJECT_SQL, [projectId, eventIdOf(eventId)]));
  }

  /** What comes before and after the event with that `id` (not `eventId`) in `page`'s order. */
  async neighbours({ id, projectId }: EventsOwner, eventRowId: number): Promise<EventNeighbours> {
    const row = await this.sql.row<EventNeighbours>(NEIGHBOURS_SQL, [id, projectId, eventRowId]);
    return row ?? { older: null, newer: null };
  }
}

const EVENT_ID = /^[0-9a-f]{8}(-?)(?:[0-9a-f]{4}\1){3}[0-9a-f]{12}$/i;

/** An id as SDKs spell it: 32 hex, with dashes or without; 404 for anything else. */
function eventIdOf(ref: string): string {
  if (!EVENT_ID.test(ref)) throw new NotFoundError('Event');
  return ref;
}

function found(event: StoredEvent | null): StoredEvent {
  if (event === null) throw new NotFoundError('Event');
  return event;
}
