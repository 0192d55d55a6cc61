import { Injectable } from '@nestjs/common';
import type { Viewer } from '../core/access/viewer.js';
import { Clock } from '../core/clock.js';
import type { Page } from '../core/pagination/page.js';
import { Conditions } from '../core/sql/conditions.js';
import type { ListQuery } from '../core/sql/list-query.js';
import { Sql } from '../core/sql/sql.service.js';
import { authorizedProjectSql } from '../members/authorized-sql.js';
import { ROLES } from '../members/roles.js';
import type { ListEventsDto } from './dto/list-events.dto.js';
import { addEventFilters, eventOrder } from './event-filters.js';
import { rightsInAny } from './event-rights.js';
import type { EventRow } from './event-row.js';
import { visibleEventSql } from './event-visibility.js';
import { EVENT_LIST, type EventsWish } from './events-finder.service.js';

const DAY_MS = 86_400_000;

/** How many days back a list of many projects looks first: most pages are about the latest ones. */
const FIRST_DAYS = [30, 180] as const;

/** Adds which projects `p` are meant. */
export type ProjectsCondition = (where: Conditions) => void;

/** Reads the events of many projects as one list, as their asker may see them. */
@Injectable()
export class CommonEventsFinder {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** Everybody's events in the projects that the user is a member of, directly or by a group. */
  ofMember(wish: EventsWish & { viewer: Viewer }): Promise<Page<EventRow>> {
    return this.ofProjects(wish, (where) => {
      const me = where.value(wish.viewer.id);
      where.and(authorizedProjectSql(me, String(ROLES.guest)));
    });
  }

  /** Everybody's events in the projects of a group and the groups below it. */
  ofGroup(groupId: number, wish: EventsWish): Promise<Page<EventRow>> {
    return this.ofProjects(wish, (where) => {
      where.and(`p.namespace_id IN (SELECT below.id FROM namespaces below
        WHERE below.traversal_ids @> ARRAY[${where.value(groupId)}]::bigint[])`);
    });
  }

  /**
   * The latest days answer nearly every page; only when they have too few events for the page, or
   * so few that all can be counted, more has to be read.
   */
  private async ofProjects(wish: EventsWish, meant: ProjectsCondition): Promise<Page<EventRow>> {
    for (const start of this.starts(wish.filters)) {
      const page = await this.page(wish, { meant, start });
      if (page.hasNext && page.total === null) return page;
    }
    return this.page(wish, { meant, start: null });
  }

  /** Beginnings of days, so that lists can be known again. None when the oldest come first. */
  private starts({ sort, before }: ListEventsDto): Date[] {
    if (sort === 'asc') return [];
    const end = Math.min(Date.parse(before ?? '9999-12-31'), this.clock.now().getTime());
    const today = Math.floor(end / DAY_MS) * DAY_MS;
    return FIRST_DAYS.map((days) => new Date(today - days * DAY_MS));
  }

  private page(
    { viewer, filters, paging }: EventsWish,
    { meant, start }: { meant: ProjectsCondition; start: Date | null },
  ): Promise<Page<EventRow>> {
    const where = new Conditions();
    meant(where);
    const projects = where.and('NOT p.pending_delete').toString();
    const events = new Conditions(where.values);
    events.and('e.project_id = p.id').and(visibleEventSql(events, rightsInAny(events, viewer)));
    if (start !== null) events.and(`e.created_at >= ${events.value(start)}`);
    addEventFilters(events, filters);
    const query = { projects, events: events.toString(), orderBy: eventOrder(filters) };
    return this.sql.page<EventRow>({ ...listOf(query), values: events.values }, paging);
  }
}

/** The latest events of each project, as many as the page could need, and of those the latest. */
function listOf({
  projects,
  events,
  orderBy,
}: {
  projects: string;
  events: string;
  orderBy: string;
}): Omit<ListQuery, 'values'> {
  return {
    ...EVENT_LIST,
    from: (top) => `projects p CROSS JOIN LATERAL
      (SELECT e.created_at, e.id FROM events e WHERE ${events} ${top}) e`,
    where: projects,
    orderBy,
  };
}
