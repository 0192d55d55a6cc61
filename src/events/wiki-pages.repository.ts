import { Injectable } from '@nestjs/common';
import { DataSource, Repository, type EntityManager } from 'typeorm';
import { WikiPage } from './wiki-page.entity.js';

/** Owns every statement about wiki pages. */
@Injectable()
export class WikiPagesRepository extends Repository<WikiPage> {
  constructor(dataSource: DataSource) {
    super(WikiPage, dataSource.manager);
  }

  /**
   * Returns the ids of pages by path and inserts new pages; in one order, so that concurrent pushes
   * do not block each other.
   */
  async ensure(
    manager: EntityManager,
    projectId: number,
    paths: readonly string[],
  ): Promise<Map<string, number>> {
    const rows = await manager.query<{ id: number; path: string }[]>(
      `INSERT INTO wiki_pages (project_id, path)
     SELECT $1, path FROM unnest($2::text[]) AS p (path) ORDER BY path
     ON CONFLICT (project_id, path) DO UPDATE SET path = excluded.path RETURNING id, path`,
      [projectId, paths],
    );
    return new Map(rows.map(({ id, path }) => [path, id]));
  }
}
