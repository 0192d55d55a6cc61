import { Injectable } from '@nestjs/common';
import { DataSource, Repository } from 'typeorm';
import type { Viewer } from '../core/access/auth-context.js';
import { Event } from '../core/activity/event.entity.js';
import { Clock } from '../core/clock.js';
import type { JsonItem } from '../core/pagination/json-items.js';
import type { Page } from '../core/pagination/page.js';
import type { Paging } from '../core/pagination/paging.decorator.js';
import { Conditions } from '../core/sql/conditions.js';
import { JsonPages, type ItemFormat, type VersionedQuery } from '../core/sql/json-pages.service.js';
import { Sql } from '../core/sql/sql.service.js';
import type { NoteRow } from '../workspace/notes/notes.repository.js';
import type { BriefProjectRow } from '../workspace/projects/sql/project-statements.js';
import type { UserBasics } from '../identity/users/user.presenter.js';
import type { ListEventsDto } from './event.dto.js';
import { contributionsStatement } from './sql/contributions.js';
import {
  addEventFilters,
  EVENT_LIST,
  eventOrder,
  projectEventsQuery,
  projectsOfGroup,
  projectsOfMember,
  recentEventSql,
  type EventProjects,
} from './sql/event-list.js';
import { rightsIn, authoredBy, visibleEventSql } from './sql/event-visibility.js';

const DAY_MS = 86_400_000;

/** Days that a list of many projects reads first. */
const FIRST_DAYS = [30, 180] as const;

/** A list of more projects than these reads its events of three years among those of all. */
const MAX_EACH = 5_000;

/** The target of an event; wiki pages only have a path. */
export interface EventTargetRow {
  iid?: number;
  title?: string;
  path?: string;
}

/** A comment as an event shows it; times are texts within JSON. */
export interface EventNoteRow extends Omit<NoteRow, 'createdAt' | 'updatedAt'> {
  createdAt: string;
  updatedAt: string;
  /** Of commits. */
  sha: string | null;
  /** The line of a commit's diff. */
  line: { path: string; line: number; type: 'new' | 'old' } | null;
  /** The issue, merge request or snippet of the comment; commits have neither. */
  noteableIid: number | null;
  noteableTitle: string | null;
}

/** An event as it is listed. */
export interface EventRow extends Event {
  /** null if the user was deleted. */
  author: UserBasics | null;
  /** null for pushes and comments, and for milestones that are gone. */
  target: EventTargetRow | null;
  note: EventNoteRow | null;
}

/** A user's contributions on a day (UTC), for example `2026-05-04`. */
export interface ContributionDay {
  day: string;
  count: number;
}

/** Reads a page of a list. */
type ReadEvents<Item> = (query: VersionedQuery, paging: Paging) => Promise<Page<Item>>;

/** A page of events as `viewer` can see them, in the form that `read` returns. */
export interface EventListRequest<Item> {
  viewer: Viewer | null;
  filters: ListEventsDto;
  paging: Paging;
  read: ReadEvents<Item>;
}

/**
 * Owns every statement that lists events as their viewer can see them. Visibility is part of the
 * statement, so that pages are full and totals do not reveal hidden events.
 */
@Injectable()
export class VisibleEventsRepository extends Repository<Event> {
  constructor(
    dataSource: DataSource,
    private readonly queries: Sql,
    private readonly pages: JsonPages,
    private readonly clock: Clock,
  ) {
    super(Event, dataSource.manager);
  }

  /** Reads events as they are presented on pages. */
  readonly readRows: ReadEvents<EventRow> = (query, paging) =>
    this.queries.page<EventRow>(query, paging);

  /** Returns the reader of events as JSON. */
  jsonReader<Item>(format: ItemFormat<Item, EventRow, object>): ReadEvents<JsonItem<Item>> {
    return (query, paging) => this.pages.page(query, paging, format);
  }

  /** Lists the events of a project; the caller has checked that the viewer can see the project. */
  listOfProject<Item>(
    project: BriefProjectRow,
    { viewer, filters, paging, read }: EventListRequest<Item>,
  ): Promise<Page<Item>> {
    const where = new Conditions();
    where.and(`e.project_id = ${where.id(project.id)}`);
    const visible = visibleEventSql(where, rightsIn(project, viewer));
    const direct = visible === 'true' && !filters.action && !filters.target_type;
    return read(this.listQuery(where.and(visible), { filters, direct }), paging);
  }

  /**
   * Lists a user's events in all projects that the viewer can see. The project is looked up for each
   * event, so that the list is read in its order until the page is full.
   */
  listOfUser<Item>(
    userId: number,
    { viewer, filters, paging, read }: EventListRequest<Item>,
  ): Promise<Page<Item>> {
    return read(this.listQuery(authoredBy(userId, viewer), { filters, direct: false }), paging);
  }

  /** Returns the latest of them. */
  latestOfUser(userId: number, viewer: Viewer | null, limit: number): Promise<EventRow[]> {
    const where = authoredBy(userId, viewer);
    return this.queries.rows<EventRow>(
      `SELECT ${EVENT_LIST.select} FROM (SELECT * FROM events e WHERE ${where.toString()}
         ORDER BY ${eventOrder({})} LIMIT ${limit}) e ${EVENT_LIST.joins} ORDER BY ${eventOrder({})}`,
      where.values,
    );
  }

  /** `direct`: all events of the project are listed, in a range of time. */
  private listQuery(
    where: Conditions,
    { filters, direct }: { filters: ListEventsDto; direct: boolean },
  ): VersionedQuery {
    addEventFilters(where, filters);
    const recent = direct ? recentEventSql(filters, this.clock.now()) : null;
    return {
      ...EVENT_LIST,
      rows: { ...EVENT_LIST.rows, direct },
      ...(recent !== null && { recent }),
      from: 'events e',
      where: where.toString(),
      orderBy: eventOrder(filters),
      values: where.values,
    };
  }

  /** Lists the events of the projects that the viewer is a member of, directly or through a group. */
  listOfMember<Item>(request: EventListRequest<Item> & { viewer: Viewer }): Promise<Page<Item>> {
    return this.listOfProjects(request, projectsOfMember(request.viewer));
  }

  /** Returns the first of them. */
  async latestOfMember(
    request: Omit<EventListRequest<EventRow>, 'read'> & { viewer: Viewer },
  ): Promise<EventRow[]> {
    return (await this.listOfMember({ ...request, read: this.readRows })).items;
  }

  /** Lists the events of the projects of a group and its descendants. */
  listOfGroup<Item>(groupId: number, request: EventListRequest<Item>): Promise<Page<Item>> {
    return this.listOfProjects(request, projectsOfGroup(groupId));
  }

  /**
   * Reads the latest days first, which suffice for nearly every page; more is read only if they have
   * too few events for it. Events of most projects are not counted: that can take as long as reading
   * all events there are.
   */
  private async listOfProjects<Item>(
    { viewer, filters, paging, read }: EventListRequest<Item>,
    projects: EventProjects,
  ): Promise<Page<Item>> {
    const [sql, values] = [projects.idsSql('$1'), [projects.value]];
    const ids = await this.queries.fewIds(sql, values);
    const areMost = ids === null && (await this.queries.fewIds(sql, values, MAX_EACH)) === null;
    const since = (start: Date | null, wanted: Paging): Promise<Page<Item>> =>
      read(projectEventsQuery({ viewer, filters, projects, ids, areMost, start }), wanted);
    let wanted = areMost ? paging.uncounted() : paging;
    let total: number | null = null;
    for (const start of ids?.length === 0 ? [] : this.starts(filters)) {
      const page = await since(start, wanted);
      if (page.hasNext) return { ...page, total: page.total ?? total };
      // A first page without events is not counted.
      if (page.total === null || page.total === 0) continue;
      total = page.total;
      wanted = paging.uncounted();
    }
    const page = await since(null, wanted);
    return { ...page, total: page.total ?? total };
  }

  /** Beginnings of days. None when the oldest come first. */
  private starts({ sort, before }: ListEventsDto): Date[] {
    if (sort === 'asc') return [];
    const end = Math.min(Date.parse(before ?? '9999-12-31'), this.clock.now().getTime());
    const today = Math.floor(end / DAY_MS) * DAY_MS;
    return FIRST_DAYS.map((days) => new Date(today - days * DAY_MS));
  }

  /** Counts a user's contributions of the last twelve months by day, oldest first. */
  contributionDays(userId: number, viewer: Viewer | null): Promise<ContributionDay[]> {
    const start = firstDay(this.clock.now());
    const { text, values } = contributionsStatement(userId, { viewer, start });
    return this.queries.rows<ContributionDay>(text, values);
  }
}

/** Returns midnight of the same day a year ago; for 29 February the first of March. */
export function firstDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear() - 1, now.getUTCMonth(), now.getUTCDate()));
}
