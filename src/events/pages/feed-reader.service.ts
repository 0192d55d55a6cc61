import { Injectable } from '@nestjs/common';
import type { Page } from '../../core/pagination/page.js';
import {
  ProjectsRepository,
  type NamedProject,
} from '../../workspace/projects/projects.repository.js';
import type { EventRow } from '../visible-events.repository.js';
import type { FeedQuery } from './feed-filters.js';
import type { ShownFeed } from './feed-list.js';

/** An event and the project that it is of. */
export interface FeedEvent {
  event: EventRow;
  project: NamedProject;
}

/** Path and query of a feed. */
interface FeedPageContext {
  query: FeedQuery;
  paging: { page: number; perPage: number };
  path: string;
}

/** Adds to events what feeds show beside them. */
@Injectable()
export class FeedReader {
  constructor(private readonly projects: ProjectsRepository) {}

  /** A page of events as feeds show it. */
  async shown(page: Page<EventRow>, { query, paging, path }: FeedPageContext): Promise<ShownFeed> {
    const items = await this.withProjects(page.items);
    return { page: { ...page, items }, paging, filter: query.filter ?? 'all', path };
  }

  /** One that has lost its project since it was read is left out. */
  async withProjects(events: readonly EventRow[]): Promise<FeedEvent[]> {
    const ids = [...new Set(events.map(({ projectId }) => projectId))];
    const found = ids.length === 0 ? [] : await this.projects.findNamed(ids);
    const projects = new Map(found.map((project) => [project.id, project]));
    return events.flatMap((event) => {
      const project = projects.get(event.projectId);
      return project === undefined ? [] : [{ event, project }];
    });
  }
}
