import { Injectable } from '@nestjs/common';
import type { Viewer } from '../core/access/viewer.js';
import { Clock } from '../core/clock.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { Conditions } from '../core/sql/conditions.js';
import type { ListQuery } from '../core/sql/list-query.js';
import { Sql } from '../core/sql/sql.service.js';
import type { ProjectRow } from '../projects/project-row.js';
import type { ListEventsDto } from './dto/list-events.dto.js';
import { addEventFilters, eventOrder, recentEventSql } from './event-filters.js';
import { rightsIn, rightsInAny } from './event-rights.js';
import { EVENT_COLUMNS, type EventRow } from './event-row.js';
import { visibleEventSql } from './event-visibility.js';

/** What a list of events is asked for. */
export interface EventsWish {
  viewer: Viewer | null;
  filters: ListEventsDto;
  paging: Paging;
}

/** The parts of a list's statement that do not depend on whose events are listed. */
export const EVENT_LIST = {
  select: EVENT_COLUMNS,
  rows: { table: 'events', alias: 'e', columns: ['created_at', 'id'] },
} as const satisfies Partial<ListQuery>;

/**
 * Reads events as their asker may see them: visibility is part of the statement, so that pages are
 * full and totals tell nothing of what is hidden.
 */
@Injectable()
export class EventsFinder {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** Everybody's events in a project that the asker sees, which the caller has decided. */
  ofProject(project: ProjectRow, { viewer, filters, paging }: EventsWish): Promise<Page<EventRow>> {
    const where = new Conditions();
    where.and(`e.project_id = ${where.value(project.id)}`);
    const visible = visibleEventSql(where, rightsIn(project, viewer));
    const direct = visible === 'true' && !filters.action && !filters.target_type;
    return this.list(where.and(visible), { filters, direct }, paging);
  }

  /**
   * A user's events in all projects that the asker sees. The project is looked up for each event,
   * so that the list is read in its order until the page is full, however the tables have grown.
   */
  ofUser(userId: number, { viewer, filters, paging }: EventsWish): Promise<Page<EventRow>> {
    return this.list(ofAuthor(userId, viewer), { filters, direct: false }, paging);
  }

  /** The latest of them, uncounted. */
  latestOfUser(userId: number, viewer: Viewer | null, limit: number): Promise<EventRow[]> {
    const where = ofAuthor(userId, viewer);
    return this.sql.rows<EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM events e WHERE ${where.toString()}
       ORDER BY ${eventOrder({})} LIMIT ${limit}`,
      where.values,
    );
  }

  /** `direct`: every event of the project or user is listed, in a range of time. */
  private list(
    where: Conditions,
    { filters, direct }: { filters: ListEventsDto; direct: boolean },
    paging: Paging,
  ): Promise<Page<EventRow>> {
    addEventFilters(where, filters);
    const recent = direct ? recentEventSql(filters, this.clock.now()) : null;
    return this.sql.page<EventRow>(
      {
        ...EVENT_LIST,
        rows: { ...EVENT_LIST.rows, direct, ...(recent !== null && { recent }) },
        from: 'events e',
        where: where.toString(),
        orderBy: eventOrder(filters),
        values: where.values,
      },
      paging,
    );
  }
}

function ofAuthor(userId: number, viewer: Viewer | null): Conditions {
  const where = new Conditions();
  where.and(`e.author_id = ${where.value(userId)}`);
  const visible = visibleEventSql(where, rightsInAny(where, viewer));
  return where.and(
    `(SELECT NOT p.pending_delete AND ${visible} FROM projects p WHERE p.id = e.project_id)`,
  );
}
