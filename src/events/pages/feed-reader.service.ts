import { Injectable } from '@nestjs/common';
import { mapPage, type Page } from '../../core/pagination/page.js';
import { Sql } from '../../core/sql/sql.service.js';
import type { EventRow } from '../event-row.js';

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

const PROJECTS_SQL = `
  SELECT p.id, p.name, n.full_path || '/' || p.path AS "fullPath"
  FROM projects p JOIN namespaces n ON n.id = p.namespace_id WHERE p.id = ANY($1::bigint[])`;

/** Adds to events what feeds show beside them. */
@Injectable()
export class FeedReader {
  constructor(private readonly sql: Sql) {}

  /** One that has lost its project since it was read is left out. */
  async withProjects(page: Page<EventRow>): Promise<Page<FeedEvent>> {
    const ids = [...new Set(page.items.map(({ projectId }) => projectId))];
    const rows = ids.length === 0 ? [] : await this.sql.rows<FeedProject>(PROJECTS_SQL, [ids]);
    const projects = new Map(rows.map((project) => [project.id, project]));
    const found = mapPage(page, (event) => ({ event, project: projects.get(event.projectId) }));
    const items = found.items.flatMap(({ event, project }) => {
      return project === undefined ? [] : [{ event, project }];
    });
    return { ...page, items };
  }
}
