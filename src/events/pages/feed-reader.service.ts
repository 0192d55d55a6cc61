import { Injectable } from '@nestjs/common';
import type { Page } from '../../core/pagination/page.js';
import {
  VisibleEventsRepository,
  type EventRow,
  type FeedProject,
} from '../visible-events.repository.js';
import type { FeedQuery } from './feed-filters.js';
import type { ShownFeed } from './feed-list.js';

/** An event and the project that it is of. */
export interface FeedEvent {
  event: EventRow;
  project: FeedProject;
}

/** Path and query of a feed. */
interface FeedPlace {
  query: FeedQuery;
  paging: { page: number; perPage: number };
  path: string;
}

/** Adds to events what feeds show beside them. */
@Injectable()
export class FeedReader {
  constructor(private readonly events: VisibleEventsRepository) {}

  /** A page of events as feeds show it. */
  async shown(page: Page<EventRow>, { query, paging, path }: FeedPlace): Promise<ShownFeed> {
    const items = await this.withProjects(page.items);
    return { page: { ...page, items }, paging, filter: query.filter ?? 'all', path };
  }

  /** One that has lost its project since it was read is left out. */
  async withProjects(events: readonly EventRow[]): Promise<FeedEvent[]> {
    const projects = await this.events.projectsOf(events);
    return events.flatMap((event) => {
      const project = projects.get(event.projectId);
      return project === undefined ? [] : [{ event, project }];
    });
  }
}
