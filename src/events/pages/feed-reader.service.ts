import { Injectable } from '@nestjs/common';
import type { Page } from '../../core/pagination/page.js';
import { Sql } from '../../core/sql/sql.service.js';
import type { EventRow } from '../event-row.js';
import type { FeedQuery } from './feed-filters.js';
import type { ShownFeed } from './feed-list.js';

/** Where something happened, as a feed names it. */
export interface FeedProject {
  id: number;
  name: string;
  fullPath: string;
}

/** An event and the project that it is of. */
export interface FeedEvent {
  event: EventRow;
  project: FeedProject;
}

/** What was asked of the feed at a path. */
interface FeedPlace {
  query: FeedQuery;
  paging: { page: number; perPage: number };
  path: string;
}

const PROJECTS_SQL = `
  SELECT p.id, p.name, n.full_path || '/' || p.path AS "fullPath"
  FROM projects p JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = ANY($1::bigint[])`;

/** Adds to events what feeds show beside them. */
@Injectable()
export class FeedReader {
  constructor(private readonly sql: Sql) {}

  /** A page of events as feeds show it. */
  async shown(page: Page<EventRow>, { query, paging, path }: FeedPlace): Promise<ShownFeed> {
    const items = await this.withProjects(page.items);
    return { page: { ...page, items }, paging, filter: query.filter ?? 'all', path };
  }

  /** One that has lost its project since it was read is left out. */
  async withProjects(events: readonly EventRow[]): Promise<FeedEvent[]> {
    const ids = [...new Set(events.map(({ projectId }) => projectId))];
    const rows = ids.length === 0 ? [] : await this.sql.rows<FeedProject>(PROJECTS_SQL, [ids]);
    const projects = new Map(rows.map((project) => [project.id, project]));
    return events.flatMap((event) => {
      const project = projects.get(event.projectId);
      return project === undefined ? [] : [{ event, project }];
    });
  }
}
